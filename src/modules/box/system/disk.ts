import { statfsSync } from 'node:fs'

/** Returns how much of the disk of a directory is free, and how much there is, in bytes. */
export function readDisk(directory: string): { freeBytes: number; totalBytes: number } {
  const { bavail, blocks, bsize } = statfsSync(directory)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}
