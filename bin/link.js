/** Makes `node_modules/.bin/tarishi` in a clone: npm links the commands of dependencies only. Run by `npm ci`. */
'use strict';
const fs = require('fs');
const path = require('path');

const folder = path.join(__dirname, '..', 'node_modules', '.bin');
const link = path.join(folder, 'tarishi');
// A packed or global installation has its command from npm; Windows needs rights to make links.
if (fs.existsSync(folder) && process.platform !== 'win32') {
  fs.rmSync(link, { force: true });
  fs.symlinkSync(path.join('..', '..', 'bin', 'tarishi.js'), link);
}
