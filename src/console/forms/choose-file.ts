/** A field that takes the lines of a file into another field. */
import { type Html, html } from '../../docs/render/html.ts';

/** The browser reads it into the field, where it can be looked at before it is sent. */
export const chooseFile = (field: string): Html =>
  html`<div class="field" data-fills hidden><label for="file">File <span class="optional">fills the lines below</span></label><input id="file" type="file" accept=".csv,.txt,text/plain,text/csv" data-fills="${field}"></div>`;
