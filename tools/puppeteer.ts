/** The driver of browsers, for tests and screenshots outside this folder, which do not find its packages. */
export { type Browser, launch, type Page } from 'puppeteer-core';
