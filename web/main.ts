/**
 * Where the page begins: the theme, the language, the core in its worker, and the app that is given both.
 */
import { mount } from 'svelte';
import App from './App.svelte';
import { openCore } from './core/client.ts';
import { roomOf } from './core/room.ts';
import './ui/tokens.css';
import './ui/base.css';
import { applyTheme } from './ui/theme.ts';
import { restoreLocale } from './words/locale.svelte.ts';

const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no element with the id "app"');

applyTheme('system');
await restoreLocale();
mount(App, { target, props: { core: openCore(roomOf(navigator), navigator.hardwareConcurrency) } });
