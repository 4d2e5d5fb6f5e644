import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startS3 } from './fakes/s3.ts'
import { hasSftp, startSftp } from './fakes/sftp.ts'
import { freePort } from './pebble.ts'

/** A place for a replica with all of its files by name, as its owner or a thief can use it. */
export type TrialPlace = {
  name: string
  /** The settings of a server for the place. */
  env: Record<string, string>
  list(): Promise<string[]>
  readAge(name: string): Promise<number>
  read(name: string): Promise<Uint8Array>
  write(name: string, bytes: Uint8Array): Promise<void>
  remove(names: readonly string[]): Promise<void>
  /** Removes the place itself: the directory is deleted, or the bucket is made anew. */
  vanish(): Promise<void>
  stop(): Promise<void>
}

const createFiles = (directory: string): Omit<TrialPlace, 'name' | 'env' | 'stop'> => ({
  list: async () =>
    existsSync(directory)
      ? readdirSync(directory, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
      : [],
  readAge: async (name) => Date.now() - statSync(join(directory, name)).mtimeMs,
  read: async (name) => new Uint8Array(readFileSync(join(directory, name))),
  write: async (name, bytes) => {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), bytes)
  },
  remove: async (names) => {
    for (const name of names) rmSync(join(directory, name), { force: true })
  },
  vanish: async () => rmSync(directory, { recursive: true, force: true }),
})

/** Makes a place in a directory of this machine. */
export function filePlace(root: string): TrialPlace {
  const directory = join(root, 'replica')
  return {
    name: 'a directory',
    env: { BROKERBASE_REPLICA_URL: `file://${directory}` },
    ...createFiles(directory),
    stop: async () => {},
  }
}

/** Makes a place on a host by SFTP; null if this machine has no sftp-server. */
export async function sftpPlace(root: string): Promise<TrialPlace | null> {
  if (!hasSftp) return null
  const host = await startSftp()
  const directory = join(root, 'away')
  return {
    name: 'a host by SFTP',
    env: {
      BROKERBASE_REPLICA_URL: `sftp://${host.user}@127.0.0.1:${host.port}${directory}`,
      BROKERBASE_REPLICA_SSH_KEY: host.privateKey,
      BROKERBASE_REPLICA_HOST_KEY: host.hostKey,
    },
    ...createFiles(directory),
    stop: host.stop,
  }
}

const BUCKET = 'trial'

/** Starts a real S3 server (moto) if PyPI's is installed, else our own. */
async function startBucket(): Promise<{
  name: string
  url: string
  id: string
  secret: string
  stop(): Promise<void>
}> {
  if (Bun.which('moto_server') === null) {
    const { url, accessKeyId: id, secretAccessKey: secret, stop } = startS3()
    return { name: 'a bucket (our own server: moto is not installed)', url, id, secret, stop }
  }
  const port = freePort()
  const child = Bun.spawn(['moto_server', '-H', '127.0.0.1', '-p', String(port)], {
    cwd: tmpdir(),
    stdout: 'ignore',
    stderr: 'ignore',
  })
  process.on('exit', () => child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 200; tries += 1) {
    if ((await fetch(url).catch(() => null)) !== null) break
    await Bun.sleep(100)
  }
  return {
    name: 'a bucket (moto)',
    url,
    id: 'trial',
    secret: 'trial',
    stop: async () => {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

/** Makes a bucket of an S3 server on this machine. */
export async function bucketPlace(): Promise<TrialPlace> {
  const { name, url, id, secret, stop } = await startBucket()
  const client = new Bun.S3Client({ accessKeyId: id, secretAccessKey: secret, bucket: BUCKET, endpoint: url })
  const make = async (): Promise<void> => {
    const { status } = await fetch(`${url}/${BUCKET}`, { method: 'PUT', headers: { authorization: `trial ${id}` } })
    if (status >= 400) throw new Error(`the bucket could not be made: ${status}`)
  }
  await make()
  const listed = async () => {
    const found: { key: string; lastModified?: string }[] = []
    for (let token: string | undefined; ; ) {
      const page = await client.list({ prefix: 'firm/', ...(token && { continuationToken: token }) })
      found.push(...(page.contents ?? []))
      token = page.isTruncated ? page.nextContinuationToken : undefined
      if (token === undefined) return found
    }
  }
  const list = async (): Promise<string[]> => (await listed()).map(({ key }) => key.slice('firm/'.length))
  const remove = async (names: readonly string[]): Promise<void> => {
    for (const one of names) await client.delete(`firm/${one}`)
  }
  return {
    name,
    env: {
      BROKERBASE_REPLICA_URL: `s3://${BUCKET}/firm?endpoint=${url}&region=us-east-1`,
      BROKERBASE_REPLICA_ACCESS_KEY_ID: id,
      BROKERBASE_REPLICA_SECRET_ACCESS_KEY: secret,
    },
    list,
    readAge: async (one) => Date.now() - (await client.stat(`firm/${one}`)).lastModified.getTime(),
    read: (one) => client.file(`firm/${one}`).bytes(),
    write: async (one, bytes) => void (await client.write(`firm/${one}`, bytes)),
    remove,
    vanish: async () => {
      await remove(await list())
      await fetch(`${url}/${BUCKET}`, { method: 'DELETE', headers: { authorization: `trial ${id}` } })
      await make()
    },
    stop,
  }
}
