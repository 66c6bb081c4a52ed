/** Loaded first, it ends a program when npm, which started it, is gone: for programs that do not look themselves. */
'use strict';
require('./starter.js').whenStarterIsGone(() => process.exit(0));
