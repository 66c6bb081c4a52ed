/** Runs the samples of a language, all in one process: starting one for each would take longer than they do. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';

interface Runner {
  /** What each program is called, in a folder of its own. */
  file: string;
  /** Makes a program a part of one, where it must be. */
  adapt?: (text: string) => string;
  /** Runs the programs in the folders 0, 1, … and prints the border after each. */
  script: { name: string; text: (count: number) => string };
  command: readonly string[];
  /** Tells whether this machine has the language. */
  version: readonly string[];
}

const border = '=====';

export const runners: Readonly<Record<string, Runner>> = {
  ts: {
    file: 'sample.ts',
    script: {
      name: 'all.mjs',
      text: (count) => `for (let n = 0; n < ${count}; n++) {
  await import(\`./\${n}/sample.ts\`);
  console.log('${border}');
}`,
    },
    command: [process.execPath, 'all.mjs'],
    version: [process.execPath, '--version'],
  },
  python: {
    file: 'sample.py',
    script: {
      name: 'all.py',
      text: (count) => `import runpy
for n in range(${count}):
    runpy.run_path(f"{n}/sample.py")
    print("${border}")`,
    },
    command: ['python3', 'all.py'],
    version: ['python3', '--version'],
  },
  php: {
    file: 'sample.php',
    script: {
      name: 'all.php',
      text: (count) => `<?php
for ($n = 0; $n < ${count}; $n++) {
    include "$n/sample.php";
    echo "${border}\\n";
}`,
    },
    command: ['php', 'all.php'],
    version: ['php', '--version'],
  },
  go: {
    file: 'main.go',
    // Of one program: to link one for each takes longer than all the rest.
    adapt: (text) => text.replace(/^package main$/m, 'package sample').replace('func main()', 'func Main()'),
    script: {
      name: 'main.go',
      text: (count) => {
        const places = Array.from({ length: count }, (_, place) => place);
        return `package main

import (
	"fmt"
${places.map((place) => `\tsample${place} "samples/${place}"`).join('\n')}
)

func main() {
${places.map((place) => `\tsample${place}.Main()\n\tfmt.Println("${border}")`).join('\n')}
}
`;
      },
    },
    command: ['bash', '-ec', 'go mod init samples 2>/dev/null; go run .'],
    version: ['go', 'version'],
  },
  java: {
    file: 'Sample.java',
    script: {
      name: 'All.java',
      text: (count) => `import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import javax.tools.ToolProvider;

public class All {
    public static void main(String[] arguments) throws Exception {
        for (int n = 0; n < ${count}; n++) {
            var folder = Path.of(String.valueOf(n));
            var compiler = ToolProvider.getSystemJavaCompiler();
            if (compiler.run(null, null, null, folder.resolve("Sample.java").toString()) != 0) System.exit(1);
            var loader = new URLClassLoader(new URL[] {folder.toUri().toURL()});
            loader.loadClass("Sample").getMethod("main", String[].class).invoke(null, (Object) new String[0]);
            System.out.println("${border}");
        }
    }
}`,
    },
    command: ['java', 'All.java'],
    version: ['java', '--version'],
  },
};

export function hasLanguage({ version: [program = '', ...args] }: Runner): boolean {
  return spawnSync(program, args).status === 0;
}

/** What each program printed. Expects that none failed or complained. */
export function runPrograms(
  { file, adapt = (text) => text, script, command: [program = '', ...args] }: Runner,
  programs: readonly string[],
  variables: Record<string, string>,
): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'tarishi-samples-'));
  try {
    programs.forEach((text, place) => {
      mkdirSync(join(folder, String(place)));
      writeFileSync(join(folder, String(place), file), adapt(text));
    });
    writeFileSync(join(folder, script.name), script.text(programs.length));
    const env = { ...process.env, NODE_OPTIONS: '', ...variables };
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, env, encoding: 'utf8' });
    expect({ status, stderr, stdout }).toEqual({ status: 0, stderr: '', stdout });
    return stdout.split(`${border}\n`).slice(0, -1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
