/** What `npm ci` does in a clone besides installing, and `npm pack` before it packs. */
'use strict';
require('./link.js');
require('./empty-database.js');
