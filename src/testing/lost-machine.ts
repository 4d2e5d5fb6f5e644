import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { specimenCard } from '../commands/demo/paper.ts'
import { ask, EXECUTABLE, must, requireExecutable, signIn, startProcess, untilReplicated } from './executable.ts'

/**
 * Follows the manual for a lost machine: one file in an empty directory, a firm, its recovery key written down, an
 * upload, the directory deleted with the key in it, and then the lines of the manual to restore it. Ends with 1 if
 * anything differs afterwards. Usage: bun src/testing/lost-machine.ts
 */
const MANUAL = join(import.meta.dir, '../manual/operating.md')
const IN_MANUAL = '/mnt/backup/acme'
const owner = { email: 'owner@acme.test', password: 'a long password of Acme' }

requireExecutable()
const root = mkdtempSync(join(tmpdir(), 'brokerbase-lost-'))
const box = join(root, 'box')
const replica = join(root, 'backup')
let spent = 0

/** Runs a line of the manual in a shell, with the program on the path, and returns its output. */
async function shell(line: string, stdin = ''): Promise<string> {
  const began = performance.now()
  const { HOME = '', TMPDIR = '/tmp', PATH = '' } = process.env
  const child = Bun.spawn(['bash', '-c', line], {
    cwd: box,
    env: { HOME, TMPDIR, PATH: `${box}:${PATH}` },
    stdin: new Blob([stdin]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  spent += performance.now() - began
  must(code === 0, `${line}: ${errors}`)
  return out
}

/** Returns the manual's lines for a restore, with the place of this replica. */
function restoreLines(): string[] {
  const text = readFileSync(MANUAL, 'utf8')
  const [, block = ''] = /## Restore\n\n[^\n]*\n\n```sh\n(.*?)```/s.exec(text) ?? []
  const lines = block.replaceAll(IN_MANUAL, replica).split('\n').filter(Boolean)
  must(
    lines.at(-1) === 'brokerbase serve' && lines.some((line) => line.includes('--key-words')),
    `the manual: ${block}`,
  )
  return lines
}

/** Starts the server as the manual says, with the variables that the lines before have exported. */
const serve = () =>
  startProcess(['serve'], {
    cwd: box,
    env: { BROKERBASE_REPLICA_URL: `file://${replica}` },
    program: [join(box, 'brokerbase')],
  })

async function run(): Promise<void> {
  mkdirSync(box)
  copyFileSync(EXECUTABLE, join(box, 'brokerbase'))
  await shell(
    `echo '${owner.password}' | brokerbase setup --tenant "Acme Markets" --email ${owner.email} --password-stdin`,
  )
  const told = await shell(
    'brokerbase recovery-key',
    `${[owner.email, owner.password, '', '', 'Written down by the test.'].join('\n')}\n`,
  )
  const words = [...told.matchAll(/\d+\. ([a-z]+)/g)].map(([, word]) => word)
  must(words.length === 24, `the key has ${words.length} words: ${told}`)

  const before = await serve()
  await untilReplicated(before)
  const headers = { cookie: await signIn(before.url, owner.email, owner.password), origin: before.url }
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await ask(before.url, 'POST', path, { headers, body })
    must(answer.status < 300, `${path}: ${answer.text}`)
    return answer.json
  }
  const trader = await post('/v1/traders', { email: 'client@acme.test', firstName: 'Ada' })
  const paper = new Uint8Array(specimenCard([120, 90, 60]))
  const announced = { traderId: trader.id, contentType: 'image/png', fileSize: paper.byteLength }
  const upload = await post('/v1/kyc/documents/upload', announced)
  const put = await fetch(`${before.url}${upload.uploadUrl}`, {
    method: 'PUT',
    headers: { 'content-type': 'image/png' },
    body: paper,
  })
  must(put.ok, 'the paper was not taken')
  const document = await post('/v1/kyc/documents/confirm', {
    key: upload.key,
    kind: 'passport',
    traderId: trader.id,
  })
  await untilReplicated(before)
  await Bun.sleep(1_500)
  // the engine of a machine is lost with the machine
  Bun.spawnSync(['pkill', '-9', '-P', String(before.pid), '-f', '/engine/'])
  await before.kill('SIGKILL')

  rmSync(join(box, 'data'), { recursive: true })
  const lines = restoreLines().slice(0, -1)
  await shell(lines.join('\n'), `${words.join(' ')}\n`)
  const began = performance.now()
  const after = await serve()
  // the lease of the lost machine on the place lasts for half a minute
  await untilReplicated(after)
  spent += performance.now() - began
  const cookie = await signIn(after.url, owner.email, owner.password)
  const read = (path: string) => fetch(`${after.url}${path}`, { headers: { cookie } })
  must((await read(`/v1/traders/${trader.id}`)).ok, 'the client is not there')
  const back = new Uint8Array(await (await read(`/v1/kyc/documents/${document.id}/file`)).arrayBuffer())
  must(Bun.hash(back) === Bun.hash(paper), 'the paper is another one')
  const verified: { intact?: boolean } = await (await read('/v1/audit/verify')).json()
  must(verified.intact === true, 'the audit does not verify')
  await after.kill('SIGTERM')
  must(spent < 60_000, `the commands took ${(spent / 1000).toFixed(1)} s`)
  process.stdout.write(
    `came back by the manual's lines: client, paper and audit are as they were; ${(spent / 1000).toFixed(1)} s of commands\n1 passed, 0 failed\n`,
  )
}

try {
  await run()
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : error}\n0 passed, 1 failed\n`)
  process.exitCode = 1
}
rmSync(root, { recursive: true, force: true })
process.exit()
