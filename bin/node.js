/** Node as this project needs it, for the scripts in package.json: node bin/node.js [options] file [arguments] */
'use strict';
require('./launch.js').launch(process.argv.slice(2));
