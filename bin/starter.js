/** Notices that npm, which started this process, is gone: without it the process would keep its port and its data. */
'use strict';
const { readFileSync } = require('fs');

const checkMs = 1000;

/** Calls `onGone` once. */
exports.whenStarterIsGone = (onGone) => {
  const before = starters();
  const check = setInterval(() => {
    if (starters() === before) return;
    clearInterval(check);
    onGone();
  }, checkMs);
  check.unref();
};

/** The ids of the processes that lead to npm. Some shells become the program that they run, others stay its parent. */
function starters() {
  const parent = process.ppid;
  try {
    const [, name, grandparent] = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${parent}/stat`, 'utf8'));
    return /^(ba|da|a)?sh$|^busybox$/.test(name) ? `${parent} ${grandparent}` : `${parent}`;
  } catch {
    // Only Linux has these files, and only there are such shells usual.
    return `${parent}`;
  }
}
