import { describe, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import fc from 'fast-check'
import { MINUTE } from '../../../platform/clock.ts'
import { boundedMetadata } from '../../../platform/wire/fields.ts'
import { LeadIn } from '../leads/leads.model.ts'
import { toLeadInput } from './ads.fields.ts'
import { readWait, redacted } from './ads.graph.ts'

describe('a lead of the platform', () => {
  const lead = (answers: Record<string, string>, facts: object = {}) =>
    toLeadInput({
      id: '5',
      field_data: Object.entries(answers).map(([name, value]) => ({ name, values: [value] })),
      ...facts,
    })

  test.each([
    [
      { email: 'a@b.test', phone_number: '+357 22 123456' },
      { email: 'a@b.test', phone: '+35722123456' },
    ],
    [
      { work_email: 'a@b.test', country: 'CY', phone: '22 123456' },
      { email: 'a@b.test', phone: '+35722123456' },
    ],
    [{ full_name: ' Ada  King Byron ' }, { firstName: 'Ada', lastName: 'King Byron' }],
    [
      { full_name: 'Ada Byron', first_name: 'Augusta' },
      { firstName: 'Augusta', lastName: 'Byron' },
    ],
    [
      { email: 'no address', phone: 'none', country: 'Cyprus' },
      { metadata: { email: 'no address', phone: 'none', country: 'Cyprus', ad: {} } },
    ],
    [{ country: 'CYP' }, { metadata: { country: 'CYP', ad: {} } }],
    // an invisible name counts as none, and no direction mark turns the text around it
    [{ full_name: '\u{e0000} Byron', first_name: '\u2800' }, { lastName: 'Byron' }],
    [{ first_name: 'Ada\u202efdp.exe' }, { firstName: 'Ada fdp.exe' }],
    [{ ad: 'mine', q: 'a\u0000b\nc' }, { metadata: { q: 'a b c', ad: {} } }],
    [
      { __proto__x: '1', ['__proto__']: 'own' },
      { source: 'social', leadGenId: '5' },
    ],
  ])('the platform’s answers %j become the lead %j', (answers, expected) =>
    expect(lead(answers)).toMatchObject(expected),
  )

  test('any content of a platform’s lead becomes a lead that we accept, or one without a contact', () => {
    const answer = fc.record({
      name: fc.oneof(
        fc.constantFrom('email', 'phone_number', 'full_name', 'country', 'first_name'),
        fc.string(),
        fc.anything(),
      ),
      values: fc.oneof(fc.array(fc.oneof(fc.string({ unit: 'binary', maxLength: 700 }), fc.anything())), fc.anything()),
    })
    const told = fc.record(
      {
        id: fc.string({ minLength: 1, unit: 'grapheme' }).filter((id) => id.trim() !== ''),
        created_time: fc.anything(),
        campaign_name: fc.oneof(fc.string({ unit: 'binary', maxLength: 900 }), fc.anything()),
        ad_name: fc.anything(),
        field_data: fc.oneof(fc.array(fc.oneof(answer, fc.anything()), { maxLength: 60 }), fc.anything()),
      },
      { requiredKeys: ['id'] },
    )
    fc.assert(
      fc.property(told, (value) => {
        const made = toLeadInput(value)
        const { leadGenId, ...rest } = made
        expect([...Value.Errors(LeadIn, leadGenId === '' ? rest : made)]).toEqual([])
        expect(JSON.stringify(made).isWellFormed()).toBe(true)
        boundedMetadata('metadata', made.metadata ?? {})
      }),
      { numRuns: 500 },
    )
  })
})

describe('an answer of the platform', () => {
  test.each([
    ['Malformed access token EAAB123', ['EAAB123'], 'Malformed access token …'],
    ['token EAABwzLixnjYBO0123456789 is not valid', [], 'token … is not valid'],
    ['(#200) Requires pages_manage_engagement permission', [], '(#200) Requires pages_manage_engagement permission'],
    ['a\u0007b', [], 'a b'],
  ])('the platform’s message is shown without secrets: %s', (words, secrets, shown) =>
    expect(redacted(words, secrets)).toBe(shown),
  )

  test.each([
    [undefined, 0],
    ['not json', 0],
    ['{"1":[{"estimated_time_to_regain_access":3},{"estimated_time_to_regain_access":9}]}', 9 * MINUTE],
    ['{"1":[{"estimated_time_to_regain_access":0}],"2":"x","3":[null]}', 0],
    ['{"1":[{"estimated_time_to_regain_access":1e9}]}', 24 * 60 * MINUTE],
    ['{"1":[{"estimated_time_to_regain_access":-4}]}', 0],
  ])('the header %s makes a wait of %d ms', (header, ms) => expect(readWait(header)).toBe(ms))
})
