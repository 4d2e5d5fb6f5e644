/** One place that a change touches: a text that stands once in a source, and what stands there after; or a new file. */
export type Part = { file: string; from: string; to: string } | { file: string; text: string }

/** A change as a newcomer makes it: its parts, and how many files it may touch, the committed document among them. */
export type Change = {
  name: string
  mostFiles: number
  parts: readonly Part[]
  /** Tests that speak where a part is forgotten and the types are right all the same. */
  tests: readonly string[]
}

const after = (file: string, from: string, added: string): Part => ({ file, from, to: from + added })

const TRADERS = 'src/modules/traders'
const FORM = 'admin-ui/features/traders/trader-form.ts'
const field: Change = {
  name: 'a field of a client',
  mostFiles: 8,
  parts: [
    { file: 'migrations/9000_occupation.sql', text: 'ALTER TABLE traders ADD COLUMN occupation TEXT;\n' },
    after(`${TRADERS}/traders.table.ts`, '    source: text(),\n', '    occupation: text(),\n'),
    {
      file: `${TRADERS}/traders.table.ts`,
      from: 'source: personal }',
      to: 'source: personal, occupation: personal }',
    },
    after(
      `${TRADERS}/traders.model.ts`,
      '  source: Type.Optional(Nullable(Line(100))),\n',
      '  occupation: Type.Optional(Nullable(Line(100))),\n',
    ),
    after(
      `${TRADERS}/traders.model.ts`,
      '    source: Nullable(Type.String()),\n',
      '    occupation: Nullable(Type.String()),\n',
    ),
    after(`${TRADERS}/traders.model.ts`, '  source: row.source,\n', '  occupation: row.occupation,\n'),
    after(FORM, '  source: string\n', '  occupation: string\n'),
    after(FORM, "  source: trader?.source ?? '',\n", "  occupation: trader?.occupation ?? '',\n"),
    after(FORM, '    source: orNull(values.source),\n', '    occupation: orNull(values.occupation),\n'),
    after(
      'admin-ui/features/traders/trader-fields.tsx',
      "        <LanguageSelect {...field('language')} />\n",
      "        <TextInput label={say('field.occupation')} {...field('occupation')} />\n",
    ),
    after(
      'admin-ui/features/client-record/trader-details.tsx',
      "            [say('field.language'), language && languageName(language), tools('language')],\n",
      "            [say('field.occupation'), trader.occupation, tools('occupation')],\n",
    ),
    after('src/words/en/fields.ts', "  'field.source': 'Source',\n", "  'field.occupation': 'Occupation',\n"),
  ],
  tests: [
    ...['tables', 'erasure', 'privacy', 'openapi', 'words'].map((name) => `src/contract/${name}.test.ts`),
    ...['traders', 'client-record'].map((name) => `admin-ui/features/${name}`),
  ],
}

const POLICY = 'src/modules/approval-policy'
const SECTION = 'admin-ui/features/settings/approval-section.tsx'
const tier: Change = {
  name: 'a third tier of approvals',
  mostFiles: 6,
  parts: [
    {
      file: `${POLICY}/approval-policy.model.ts`,
      from: "[{ field: 'threshold', approvals: 2 }]",
      to: `[
  { field: 'threshold', approvals: 2 },
  { field: 'thirdThreshold', approvals: 3 },
]`,
    },
    after(
      `${POLICY}/approval-policy.model.ts`,
      '    threshold: Amount,\n',
      '    thirdThreshold: Type.Optional(Amount),\n',
    ),
    {
      file: SECTION,
      from: '({ policy: { currency, threshold, minKycLevel } }',
      to: '({ policy: { currency, threshold, thirdThreshold, minKycLevel } }',
    },
    after(
      SECTION,
      `        [say('settings.large_from'), \`\${groupDigits(threshold)} \${currency}\`],\n`,
      `        [say('settings.third_from'), thirdThreshold && \`\${groupDigits(thirdThreshold)} \${currency}\`],\n`,
    ),
    {
      file: SECTION,
      from: `    toValues: ({ currency, threshold, minKycLevel }) => ({ currency, threshold, minKycLevel: String(minKycLevel) }),
`,
      to: `    toValues: ({ currency, threshold, thirdThreshold, minKycLevel }) => ({
      ...{ currency, threshold, thirdThreshold: thirdThreshold ?? '' },
      minKycLevel: String(minKycLevel),
    }),
`,
    },
    after(
      SECTION,
      "      threshold: amountRule(say('settings.enter_amount_such_as')),\n",
      "      thirdThreshold: (text: string) => (text ? amountRule(say('settings.enter_amount_such_as'))(text) : null),\n",
    ),
    {
      file: SECTION,
      from: `    save: (values, { version }) => setApprovalPolicy({ ...values, minKycLevel: Number(values.minKycLevel) }, version),
`,
      to: `    save: ({ thirdThreshold, ...values }, { version }) =>
      setApprovalPolicy(
        { ...values, ...(thirdThreshold && { thirdThreshold }), minKycLevel: Number(values.minKycLevel) },
        version,
      ),
`,
    },
    after(
      SECTION,
      `          {...field('threshold')}
        />
`,
      `        <AmountField
          label={say('settings.third_from')}
          currency={state.form.getValues().currency}
          {...field('thirdThreshold')}
        />
`,
    ),
    after(
      'src/words/en/settings.ts',
      "  'settings.large_from': 'Large from',\n",
      "  'settings.third_from': 'Three people from',\n",
    ),
    after(
      'src/RULES.md',
      '  | `threshold`        | 2                |\n',
      '  | `thirdThreshold`   | 3                |\n',
    ),
  ],
  tests: [
    POLICY,
    'src/contract/openapi.test.ts',
    'src/contract/words.test.ts',
    'admin-ui/features/settings/policies.test.tsx',
  ],
}

const event: Change = {
  name: 'an event',
  mostFiles: 3,
  parts: [
    after(
      'src/platform/events/catalogue.ts',
      'export const EVENTS = {\n',
      `  'trader.note_added': define(
    'Staff noted something about a trader',
    ['traders.notes.add'],
    Type.Object({ traderId: Id, noteId: Id }),
    { traderId, noteId: id('not') },
  ),
`,
    ),
    {
      file: `${TRADERS}/traders.service.ts`,
      from: `    return toTraderNote(tx.insert(traderNotes, { traderId, authorId: staffIdOf(ctx.principal), body: input.body }))
`,
      to: `    const note = tx.insert(traderNotes, { traderId, authorId: staffIdOf(ctx.principal), body: input.body })
    tx.emit('trader.note_added', { traderId, noteId: note.id })
    return toTraderNote(note)
`,
    },
  ],
  tests: ['src/contract/events.test.ts', 'src/contract/openapi.test.ts'],
}

export const CHANGES: readonly Change[] = [field, tier, event]
