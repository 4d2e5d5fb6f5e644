import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { DAY, SECOND, toIso } from '../../platform/clock.ts'
import { readFact } from '../../platform/db/box-facts.ts'
import { embedded } from '../../platform/embedded.ts'
import { decodeKey, readKeyFile } from '../../platform/key-file.ts'
import { findLack } from '../../platform/replication/held-place.ts'
import { findSuccessor, readHistories } from '../../platform/replication/histories.ts'
import { LAG_ALARMS, LAG_WARNS } from '../../platform/replication/lag.ts'
import { LOSS, MARK } from '../../platform/replication/lineage.ts'
import { createNotes } from '../../platform/replication/notes.ts'
import { openStore } from '../../platform/replication/open-store.ts'
import type { ReplicaSettings } from '../../platform/replication/replica-place.ts'
import type { Store } from '../../platform/replication/store.ts'
import { ask } from './ask.ts'
import { fetchFigure } from './figure.ts'
import { type Check, type Finding, fail, ok, type Patient, warn } from './finding.ts'

const LOG = 'see the log of the server for why'
const ANEW = 'a server that runs begins a whole new history by itself; find out who or what removed the files'

/** Returns the key of this installation, if it can be read, to verify what is at the replica. */
function readKeys({ dataDir, secretKey }: Config): Uint8Array[] {
  try {
    const key = secretKey === undefined ? readKeyFile(join(dataDir, 'secret.key')) : decodeKey(secretKey, 'the key')
    return key ? [key] : []
  } catch {
    return []
  }
}

/**
 * Compares the replica with what the database stored about it; returns no finding if both agree and nothing is missing.
 */
async function listLosses(
  { config, now }: Patient,
  settings: ReplicaSettings,
  store: Store,
  histories: Awaited<ReturnType<typeof readHistories>>,
): Promise<Finding[]> {
  let known: string | undefined
  const found = ask(config.dataDir, (db) => {
    const mark = readFact(db, MARK)?.value
    if (mark?.place === settings.url) known = mark.lineage
    const loss = readFact(db, LOSS)
    return loss && now - loss.at < DAY
      ? [
          warn(
            'replica',
            `the place lost its files, as was noticed at ${toIso(loss.at)}: ${loss.value.why}`,
            loss.value.isWhole ? 'another whole history is there since then; find out why it was lost' : ANEW,
          ),
        ]
      : []
  })
  if (known === undefined) return found
  const next = findSuccessor(
    histories.filter(({ proof, complete }) => proof === 'ours' && complete !== false),
    known,
  )
  if (next)
    return [
      fail(
        'replica',
        `a server on ${next.host ?? 'another machine'} went on with this data at ${next.startedAt}: this copy is out of date`,
        'restore --replace takes the newest data here; stop the other server before',
      ),
    ]
  const one = histories.find(({ id }) => id === known)
  const { lack } = one?.complete === false ? { lack: null } : await findLack(store, known, () => 0)
  if (lack === null) return found
  return [fail('replica', `${settings.url} has lost the history ${known} of this installation: ${lack}`, ANEW)]
}

/** Checks the replica itself, and what the running server reports about it. */
export const replica: Check = {
  name: 'replica',
  look: async (patient) => {
    const { config } = patient
    const { replica: settings, litestream } = config
    if (!settings)
      return [
        warn(
          'replica',
          'none: if this machine is lost, everything since the last snapshot kept elsewhere is lost',
          'BROKERBASE_REPLICA_URL',
        ),
      ]
    if (litestream === '' && !embedded().litestream)
      return [fail('replica', 'this build has no engine', 'take one that has, or name one by BROKERBASE_LITESTREAM')]
    const store = openStore(settings.place, settings.keys)
    try {
      const histories = await readHistories(store, createNotes(store, readKeys(config)))
      const lost = await listLosses(patient, settings, store, histories)
      if (lost.some(({ state }) => state === 'fail')) return lost
      const newest = histories.findLast(({ complete = true }) => complete)
      if (!newest)
        return [
          warn('replica', `${settings.url} can be read, and holds nothing yet`, 'start the server and look again'),
        ]
      const detail = `${settings.url}, history ${newest.id} since ${newest.startedAt.slice(0, 10)}`
      return [...lost, lagFinding(detail, await fetchFigure(config, 'replica_lag_seconds'))]
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      const remedy = 'the server must be able to read and write there: check its user, the address and the keys'
      return [fail('replica', `${settings.url}: ${why}`, remedy)]
    }
  },
}

/** Returns how far behind the replica is, in seconds; undefined if that is unknown. */
function lagFinding(detail: string, lag: number | undefined): Finding {
  if (lag === undefined) return ok('replica', `${detail}; no server runs to ask how far behind it is`)
  const found = `${detail}, ${lag.toFixed(1)} s behind`
  if (lag * SECOND >= LAG_ALARMS) return fail('replica', found, LOG)
  return lag * SECOND >= LAG_WARNS ? warn('replica', found, LOG) : ok('replica', found)
}
