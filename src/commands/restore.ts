import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import type { Source } from '../modules/box/backups/backups.fetch.ts'
import { MIB } from '../platform/bytes.ts'
import { decodeKey, readKeyFile } from '../platform/key-file.ts'
import { wordsToKey } from '../platform/recovery-words.ts'
import { openStore } from '../platform/replication/open-store.ts'
import { readSealedKeys } from '../platform/replication/sealed-key.ts'
import type { Dialogue } from './recovery-key.ts'
import { BadCopy, type RestoreReport, restore } from './restore-data.ts'

/** The flags of `restore`, as typed. */
export type RestoreFlags = {
  at?: string
  history?: string
  snapshot?: string | true
  to?: string
  dryRun?: true
  replace?: true
  keyWords?: true
  keyFile?: string
  trustContents?: true
  json?: true
}

/** Parses a time; without a zone it would differ by machine, so it is refused. */
function readMoment(text: string, now: number): number {
  const at = /(Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    throw new ConfigError(`--at: “${text}” is no moment such as 2026-11-23T09:05:00Z, with its zone.`)
  if (at > now) throw new ConfigError('--at: lies in the future.')
  return at
}

function readSource({ at, history, snapshot }: RestoreFlags, config: Config, now: number): Source {
  if (snapshot !== undefined) {
    if (at !== undefined || history !== undefined)
      throw new ConfigError('A snapshot is of its own moment: --snapshot goes with neither --at nor --history.')
    return { kind: 'snapshot', name: snapshot === true ? null : snapshot }
  }
  if (!config.replica && at === undefined && history === undefined) return { kind: 'snapshot', name: null }
  return { kind: 'replica', at: at === undefined ? null : readMoment(at, now), lineage: history ?? null }
}

/** Returns the keys beside the replica that the configured passphrase opens. */
const sealedKeys = async ({ replica, recoveryPassphrase }: Config): Promise<Uint8Array[]> =>
  replica && recoveryPassphrase !== undefined
    ? readSealedKeys(openStore(replica.place, replica.keys), recoveryPassphrase)
    : []

/**
 * Returns the keys that may open the data, the likeliest first, and whether the right one must be written beside the
 * data. If a key was named, returns only that one. Throws a sentence if there is none.
 */
export async function keysFor(
  { keyWords, keyFile }: RestoreFlags,
  config: Config,
  target: string,
  dialogue: () => Dialogue,
): Promise<{ keys: readonly Uint8Array[]; keepKey: boolean }> {
  if (keyWords) return { keys: [wordsToKey(await dialogue().ask('The 24 words of the recovery key: '))], keepKey: true }
  if (keyFile !== undefined) {
    const key = readKeyFile(keyFile)
    if (!key) throw new ConfigError(`--key-file: there is no file ${keyFile}.`)
    return { keys: [key], keepKey: true }
  }
  if (config.secretKey !== undefined)
    return { keys: [decodeKey(config.secretKey, 'The configured secret key')], keepKey: false }
  const beside = [target, config.dataDir].flatMap((directory) => readKeyFile(join(directory, 'secret.key')) ?? [])
  // a server that was started here before the restore made its own key, which opens no earlier data
  const sealed = await sealedKeys(config).catch((error: unknown) => {
    if (beside.length > 0) return []
    throw error
  })
  if (beside.length + sealed.length > 0) return { keys: [...beside, ...sealed], keepKey: true }
  throw new Error('The key of the installation is needed: --key-words asks for its 24 words, --key-file reads it.')
}

const megabytes = (bytes: number): string => `${(bytes / MIB).toFixed(1)} MiB`

/** Returns the result of a restore as text. */
function formatReport({ source, check, target, replaced, done, seconds }: RestoreReport): string {
  const { schema, bytes, firms, entries, auditEntries, papers, missing, doubts } = check
  return [
    `Came from       ${source}`,
    `Integrity       every page and reference of ${megabytes(bytes)}, schema ${schema}`,
    `Books           ${entries} entries of ${firms} firms replayed, all balance`,
    `Audit           ${auditEntries} entries verified`,
    `Papers          ${papers} open with the key`,
    doubts.length === 0
      ? 'Proof           all rows are as this installation wrote them'
      : 'NOT PROVEN      as you accepted:',
    ...doubts.map((doubt) => `                ${doubt}`),
    ...(missing.length === 0 ? [] : [`MISSING         ${missing.length} papers; their clients must send them again:`]),
    ...missing.slice(0, 100).map(({ tenantId, fileId }) => `                ${fileId} of ${tenantId}`),
    done ? `Restored to     ${target}` : 'Nothing was changed: this was a dry run.',
    ...(replaced === null ? [] : [`Kept            what lay there is in ${replaced}; delete it when you are sure`]),
    ...(done ? ['                Everybody signs in again. Replication begins a new history at the next start.'] : []),
    `Took            ${seconds} s`,
    '',
  ].join('\n')
}

/** Restores the data from replica or snapshot; returns the text to print. A bad copy throws a sentence. */
export async function restoreNow(config: Config, flags: RestoreFlags, dialogue: () => Dialogue): Promise<string> {
  const now = Date.now()
  const target = flags.to ?? config.dataDir
  const source = readSource(flags, config, now)
  const { keys, keepKey } = await keysFor(flags, config, target, dialogue)
  try {
    const report = await restore({
      config,
      source,
      target,
      keys,
      keepKey,
      replace: flags.replace ?? false,
      dryRun: flags.dryRun ?? false,
      trusted: flags.trustContents ?? false,
      now: Date.now,
      tell: (line) => void (flags.json || process.stderr.write(`${line}\n`)),
    })
    return flags.json ? `${JSON.stringify(report, null, 1)}\n` : formatReport(report)
  } catch (error) {
    if (flags.json && error instanceof BadCopy)
      process.stdout.write(`${JSON.stringify({ check: error.check }, null, 1)}\n`)
    throw error
  }
}
