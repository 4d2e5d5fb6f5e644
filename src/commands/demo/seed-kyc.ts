import { files } from '../../modules/base/files/files.table.ts'
import { approve, reject, submit } from '../../modules/clients/kyc/kyc.service.ts'
import { kycDocuments } from '../../modules/clients/kyc/kyc.table.ts'
import type { Ctx } from '../../platform/access/ctx.ts'
import { DAY, HOUR } from '../../platform/clock.ts'
import { specimenCard, specimenPdf } from './paper.ts'
import type { Client, DeskSeed, Step } from './seed-step.ts'

type Tint = readonly [number, number, number]
const TINTS: readonly [Tint, ...Tint[]] = [
  [46, 98, 140],
  [120, 74, 130],
  [40, 120, 96],
  [150, 96, 40],
]

/** Adds a client's documents: sealed like real ones, submitted, and mostly decided. */
export function seedKyc({ random, end, as }: DeskSeed, client: Client, level: number): Step[] {
  const { made, joined, manager, clerk } = client
  const state = { id: '' }
  const tint = random.pick(TINTS)
  const submitted = joined + random.between(1, 40) * HOUR
  const fate = random.next()
  const steps: Step[] = []
  const add = (at: number, run: () => Promise<unknown>) => {
    if (at < end) steps.push({ at, run })
  }
  add(submitted, async () => {
    const card = await storePaper(as(clerk), made.id, 'identity_card', 'image/png', specimenCard(tint))
    const bill = await storePaper(
      as(clerk),
      made.id,
      'proof_of_address',
      'application/pdf',
      specimenPdf('Utility bill'),
    )
    state.id = (await submit(as(clerk), { traderId: made.id, level, documentIds: [card, bill] })).id
  })
  add(submitted + random.between(3, 30) * HOUR, async () => {
    if (state.id === '') return
    if (fate < 0.12)
      await reject(as(manager), state.id, { code: random.pick(['unreadable', 'expired', 'address_old']) }, undefined)
    else await approve(as(manager), state.id, undefined, undefined)
  })
  return steps
}

/** Stores a document as if it had been uploaded: row, sealed bytes and document. */
async function storePaper(
  ctx: Ctx,
  traderId: string,
  kind: 'identity_card' | 'proof_of_address',
  contentType: string,
  bytes: Uint8Array,
): Promise<string> {
  return ctx.write('kyc.document_confirm', (tx) => {
    const size = bytes.byteLength
    const file = tx.insert(files, {
      traderId,
      purpose: 'kyc',
      contentType,
      size,
      status: 'attached',
      expiresAt: tx.now + DAY,
    })
    ctx.blobs.put(file.id, bytes, tx.now)
    return tx.insert(kycDocuments, { traderId, fileId: file.id, kind, contentType, size }).id
  })
}
