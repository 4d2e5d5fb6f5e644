/** A mutant that no test can notice: part of its line, and what it would become where not all of the line is meant. */
export type Skip = { file: string; code: string; after?: string; why: string }

/** Mutants that are the same program, or that change only how soon or how much at once the work is done. */
export const SKIPPED: readonly Skip[] = [
  {
    file: 'src/platform/money.ts',
    code: "if (whole.length > 16) throw new MoneyError('amount_range'",
    after: '17',
    why: 'the range refuses 17 digits too; the length only keeps longer texts from being read',
  },
  {
    file: 'src/platform/money.ts',
    code: 'if (fraction.length <= scale ||',
    after: 'fraction.length < scale',
    why: 'as many decimals as the currency has: nothing is left to round',
  },
  {
    file: 'src/platform/money.ts',
    code: 'minor < 0n ? -minor : minor).toString()',
    after: 'minor <= 0n',
    why: 'minus zero is zero',
  },
  {
    file: 'src/platform/money.ts',
    code: 'remainder < 0n ? -remainder : remainder',
    after: 'remainder <= 0n',
    why: 'minus zero is zero',
  },
  { file: 'src/platform/money.ts', code: 'd < 0n ? -d : d', after: 'd <= 0n', why: 'zero was refused before' },
  { file: 'src/platform/money.ts', code: 'return n < 0n === d < 0n', after: 'n <= 0n', why: 'zero is not rounded' },
  { file: 'src/platform/money.ts', code: 'return n < 0n === d < 0n', after: 'd <= 0n', why: 'zero was refused before' },
  {
    file: 'src/platform/money.ts',
    code: "rounding === 'up' && n % d !== 0n ? (n < 0n",
    after: 'n <= 0n',
    why: 'zero has no remainder',
  },
  {
    file: 'src/modules/firm/independence/people.ts',
    code: "id.slice(id.indexOf('_') + 1)",
    why: 'ids are compared from any place after their prefix, and all begin alike',
  },
  {
    file: 'src/modules/clients/sanctions/matcher.ts',
    code: 'few.length === 1 && spare > 0 ? 0.75',
    after: '0.76',
    why: 'birth and country bring no single word to the threshold',
  },
  {
    file: 'src/modules/firm/independence/people.ts',
    code: 'let struckAt = 0',
    why: 'the first milliseconds of 1970 are before every act',
  },
  {
    file: 'src/modules/firm/independence/people.ts',
    code: 'order(',
    after: 'order(act.id) >= order(vouch.id)',
    why: 'no two ids are the same',
  },
  {
    file: 'src/modules/firm/independence/people.ts',
    code: 'order(',
    after: 'order(vouch.id) >= order(known.id)',
    why: 'no two ids are the same',
  },
  {
    file: 'src/modules/clients/sanctions/matcher.ts',
    code: 'few.length === 1 && spare > 0 ? 0.75',
    after: '0.74',
    why: 'birth and country bring no single word to the threshold',
  },
  {
    file: 'src/modules/clients/sanctions/matcher.ts',
    code: 'let best = -1',
    why: 'a word that is alike enough has been given a place',
  },
  {
    file: 'src/modules/clients/sanctions/matcher.ts',
    code: 'if (score < ALIKE) continue',
    after: 'score <= ALIKE',
    why: 'the sums of thirds that make a likeness do not come out at 0.84 in binary',
  },
  {
    file: 'src/modules/clients/sanctions/matcher.ts',
    code: 'nameScore: weight === 0 ? 0',
    after: '1',
    why: 'a name without words is no candidate',
  },
  {
    file: 'src/modules/clients/sanctions/matcher.ts',
    code: 'score <= (found.get(entry)?.score ?? 0)',
    after: '1',
    why: 'every score here is 85 or more',
  },
  {
    file: 'src/modules/growth/payouts/payouts.votes.ts',
    code: 'liftedBlock(db, people, userId, row.traderId, now) ? 2 : 1',
    after: '0',
    why: 'a payout takes one person at least',
  },
]
