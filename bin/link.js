/** Makes `node_modules/.bin/tarishi` in a clone: npm links the commands of dependencies only. */
'use strict';
const fs = require('fs');
const path = require('path');

const folder = path.join(__dirname, '..', 'node_modules', '.bin');
const link = path.join(folder, 'tarishi');
// A packed or global installation has its command from npm.
if (fs.existsSync(folder)) {
  fs.rmSync(link, { force: true });
  if (process.platform === 'win32') {
    // Links need rights there. npx looks for the first file, cmd runs the second.
    fs.writeFileSync(link, '#!/bin/sh\nexec node "$(dirname "$0")/../../bin/tarishi.js" "$@"\n', {
      mode: 0o755,
    });
    fs.writeFileSync(`${link}.cmd`, '@node "%~dp0\\..\\..\\bin\\tarishi.js" %*\r\n');
  } else fs.symlinkSync(path.join('..', '..', 'bin', 'tarishi.js'), link);
}
