/**
 * Which build of the core it is that answers: whatever changes in its code, in the model or in the model's data gives
 * its worker's file another name. While the page is developed that name says nothing of what is in the file.
 */
import worker from './core.worker.ts?worker&url';

export const BUILD_NAME = import.meta.env.PROD ? worker : undefined;
