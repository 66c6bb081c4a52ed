/** Where an archive is: named files that are written once, and then only read. */

export interface ArchiveStore {
  /** As operators wrote it. */
  url: string;
  /** Resolves once the file is safe from a loss of power. Replaces a file of this name. */
  write: (name: string, bytes: Uint8Array) => Promise<void>;
  /** Undefined: there is no such file. */
  read: (name: string) => Promise<Buffer | undefined>;
  /** In no order. */
  names: () => Promise<string[]>;
}
