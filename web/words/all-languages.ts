/** Every language, before a unit test says something in any: the page fetches one when it is chosen. */
import { learn } from './generated/messages.js';
import { locales } from './generated/runtime.js';

await Promise.all(locales.map(learn));
