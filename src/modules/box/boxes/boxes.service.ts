import type { Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { MIB } from '../../../platform/bytes.ts'
import { type Clock, SECOND } from '../../../platform/clock.ts'
import type { TenantRow } from '../../../platform/db/directory.ts'
import type { Egress } from '../../../platform/egress.ts'
import type { Away } from '../../../platform/peer/away.ts'
import { isAnswer, signCall } from '../../../platform/peer/peer-signature.ts'
import { invalid, versionConflict } from '../../../platform/problem.ts'
import type { Replication } from '../../../platform/replication/replication.ts'
import type { Roles } from '../../../platform/role.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import type { Sight } from '../../../platform/standby/sight.ts'
import { say } from '../../../words/say.ts'
import type { Backups } from '../backups/backups.service.ts'
import { readDisk } from '../system/disk.ts'
import { type BoxesIn, type BoxesOut, type BoxOut, BoxSelf, type StoredBoxes } from './boxes.model.ts'

/** The path at which a box answers the others. */
export const PEER_PATH = '/peer/box'
/** A box that does not answer within this time is shown without its facts. */
const PATIENCE = 2 * SECOND
/** A host may have thousands of firms. */
const LARGEST_ANSWER = 4 * MIB

/** What the list of boxes is made of. */
export type BoxParts = {
  dataDir: string
  clock: Clock
  secrets: SecretBox
  /** Reaches other boxes, which may have private addresses. */
  egress: Egress
  roles: Roles
  standby: Sight | null
  replication: Replication | null
  backups: Pick<Backups, 'proofs'>
  away: Pick<Away, 'counts'> | null
  program: { version: string }
  schema: number
  firms: () => TenantRow[]
  read: () => StoredBoxes
  /** Stores the boxes, inside a write. */
  note: (boxes: StoredBoxes, now: number) => void
}

/** Returns what this box says of itself. */
export async function describeSelf(parts: BoxParts): Promise<BoxSelf> {
  const { dataDir, roles, standby, replication, backups, away, program, schema, firms } = parts
  const lags = replication?.seen().databases.map(({ lagMs }) => lagMs)
  return {
    role: roles.current().name,
    ageSeconds: standby?.seen().ageSeconds ?? null,
    version: program.version,
    schema,
    replica: lags ? { lagMs: Math.max(...lags) } : null,
    disk: readDisk(dataDir),
    provenAt: (await backups.proofs()).provenAt,
    reads: away?.counts() ?? null,
    firms: firms().map(({ id, slug, domain, status }) => ({ id, slug, domain, state: status })),
  }
}

/** Returns what a box said of itself, without anything else; null if it cannot be read or believed. */
function readSelf(bytes: Uint8Array): BoxSelf | null {
  try {
    const said = Value.Clean(BoxSelf, JSON.parse(new TextDecoder().decode(bytes)))
    return Value.Check(BoxSelf, said) ? said : null
  } catch {
    return null
  }
}

/** Asks a box what it says of itself; throws a sentence if it says nothing that can be used. */
async function askBox({ egress, secrets, clock }: BoxParts, url: string): Promise<BoxSelf> {
  const call = signCall(secrets, { method: 'GET', path: PEER_PATH, body: '' }, clock.now())
  const { status, headers, body, truncated } = await egress.request({
    method: 'GET',
    url: url + PEER_PATH,
    headers: { 'x-crm-box': call },
    connectTimeoutMs: PATIENCE,
    totalTimeoutMs: PATIENCE,
    maxResponseBytes: LARGEST_ANSWER,
  })
  if (status === 404) throw new Error(say('boxes.error.stranger'))
  if (status !== 200) throw new Error(say('boxes.error.status', { status }))
  const isOurs = isAnswer(secrets, call, { status, age: headers['x-crm-age'] ?? '', body }, headers['x-crm-box'])
  if (!truncated && !isOurs) throw new Error(say('boxes.error.unsigned'))
  const said = truncated ? null : readSelf(body)
  if (said === null) throw new Error(say('boxes.error.unreadable'))
  return said
}

/** Lists the named boxes, each with what it says of itself now, or why it says nothing. */
export async function listBoxes(parts: BoxParts): Promise<Static<typeof BoxesOut>> {
  const ask = async ({ name, url }: BoxesIn['boxes'][number]): Promise<BoxOut> => {
    try {
      return { name, url, self: await askBox(parts, url), error: null }
    } catch (error) {
      return { name, url, self: null, error: error instanceof Error ? error.message : String(error) }
    }
  }
  const { boxes, version } = parts.read()
  return { boxes: await Promise.all(boxes.map(ask)), version }
}

/**
 * Names the boxes. 422 if two of them have one name or one address, 412 if their version is not `expect`. Audited.
 */
export async function setBoxes(
  ctx: Ctx,
  parts: BoxParts,
  { boxes }: BoxesIn,
  expect: number | undefined,
): Promise<Static<typeof BoxesOut>> {
  for (const field of ['name', 'url'] as const) {
    const again = boxes.findIndex((box, at) => boxes.findIndex((other) => other[field] === box[field]) !== at)
    if (again !== -1) throw invalid(`boxes.${again}.${field}`, 'repeated', say('boxes.boxes.repeated'))
  }
  await ctx.write('boxes.set', (tx) => {
    const before = parts.read()
    if (expect !== undefined && expect !== before.version) throw versionConflict(before.version)
    tx.audit({ entity: 'boxes', before: { boxes: before.boxes }, after: { boxes } })
    parts.note({ boxes, version: before.version + 1 }, tx.now)
  })
  return listBoxes(parts)
}
