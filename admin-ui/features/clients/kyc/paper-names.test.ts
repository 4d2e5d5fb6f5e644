import { expect, test } from 'bun:test'
import type { KycDocument } from './kyc.api.ts'
import { paperNames } from './paper-names.ts'

type Named = Pick<KycDocument, 'id' | 'kind' | 'side'>
const passport = (id: string): Named => ({ id, kind: 'passport', side: null })

test('a document is called by its kind and side, and several of a kind are numbered', () => {
  const front: Named = { id: 'f', kind: 'identity_card', side: 'front' }
  const back: Named = { id: 'b', kind: 'identity_card', side: 'back' }
  expect([...paperNames([passport('one'), front, back]).values()]).toEqual([
    'Passport',
    'Identity card, front',
    'Identity card, back',
  ])
  expect(paperNames([passport('one'), front, passport('two')])).toEqual(
    new Map([
      ['one', 'Passport (1 of 2)'],
      ['f', 'Identity card, front'],
      ['two', 'Passport (2 of 2)'],
    ]),
  )
})
