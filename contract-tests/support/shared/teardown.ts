/** Ends the shared service after the last test file: Jest wants a file of its own for that. */
export { tearDown as default } from './setup.ts';
