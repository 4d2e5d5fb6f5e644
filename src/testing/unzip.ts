import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const python = Bun.which('python3')
/** Whether this machine has another program that reads archives; without it, tests of archives are skipped. */
export const canUnzip = python !== null

const SCRIPT = `import zipfile, json, base64, sys
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
print(json.dumps({n: base64.b64encode(z.read(n)).decode() for n in z.namelist()}))`

/** Returns what another program finds in an archive: every name with its bytes, whose checksums are checked. */
export async function unzip(archive: Response): Promise<Record<string, Buffer>> {
  const directory = mkdtempSync(join(tmpdir(), 'brokerbase-archive-'))
  try {
    const file = join(directory, 'archive.zip')
    await Bun.write(file, await archive.arrayBuffer())
    const { stdout } = Bun.spawnSync([python ?? 'python3', '-c', SCRIPT, file])
    const found: Record<string, string> = JSON.parse(stdout.toString())
    return Object.fromEntries(Object.entries(found).map(([name, text]) => [name, Buffer.from(text, 'base64')]))
  } finally {
    rmSync(directory, { recursive: true })
  }
}
