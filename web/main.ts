/**
 * Where the page begins: the theme, the language, the core in its worker, and the app that is given both.
 * Without a language nothing can be said: then stands what index.html says in two.
 */
import { mount } from 'svelte';
import App from './App.svelte';
import { openCore } from './core/client.ts';
import { roomOf } from './core/room.ts';
import { createApp } from './create-app.svelte.ts';
import './ui/tokens.css';
import './ui/base.css';
import { applyTheme } from './ui/theme.ts';
import { restoreLocale } from './words/locale.svelte.ts';

const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no element with the id "app"');

const notLoaded = document.getElementById('not-loaded');

function begin(target: HTMLElement): void {
  notLoaded?.remove();
  const core = openCore(roomOf(navigator), navigator.hardwareConcurrency);
  mount(App, { target, props: { app: createApp(core, window) } });
}

applyTheme('system');
restoreLocale().then(
  () => begin(target),
  () => notLoaded?.classList.add('is-certain'),
);
