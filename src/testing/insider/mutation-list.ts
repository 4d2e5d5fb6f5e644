/**
 * A rule and how it is removed: a text that a source has once, and its replacement. If walks rarely find a theft
 * without the rule, `seed` is the first of 2,000 walks that do.
 */
type Mutation = { name: string; file: string; from: string; to: string; seed?: number }

const SERVICE = 'src/modules/firm/independence/independence.service.ts'
const VOTES = 'src/modules/growth/payouts/payouts.votes.ts'
const PAYOUTS = 'src/modules/growth/payouts/payouts.decisions.ts'
const CONNECTIONS = 'src/modules/terminals/connections/connections.service.ts'
const BLOCKS = 'src/modules/firm/independence/blocks.ts'

export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'M2: accounts belong to who set them up',
    file: 'src/modules/firm/independence/people.ts',
    from: 'if (!vouch || order(act.id) > order(vouch.id)) accounts',
    to: 'if (vouch && act.id === vouch.id) accounts',
  },
  {
    name: 'M3: own deposits need a second person',
    file: 'src/modules/books/deposits/settlement.ts',
    from: 'if (announcedBy !== null)\n    throw',
    to: `if (announcedBy !== null) return 'alone'\n  if (deposit.id === "") throw`,
  },
  {
    name: 'M4: nobody books on their own word about a balance',
    file: 'src/modules/books/transfers/home-limits.ts',
    from: 'if (isTheirBalance(userId)) throw transferErrors.own_balance()',
    to: '',
  },
  {
    name: 'linked: nobody books what their own word made a client’s',
    file: 'src/modules/books/transfers/home-limits.ts',
    from: 'if (isTheirWord(userId)) throw transferErrors.own_link()',
    to: '',
  },
  {
    name: 'taken: what was taken counts against reports that may not know of it',
    file: 'src/modules/books/transfers/account-funding.ts',
    from: 'takenSince: balanceAt - SHOWN_AFTER',
    to: 'takenSince: balanceAt',
    seed: 4001,
  },
  {
    name: 'twin: a link is noted for whom it lets in',
    file: 'src/modules/base/mails/mails.service.ts',
    from: 'if (user) users.noteReader',
    to: 'if (user && !traders.find(tx, { email: recipient }, anyway)) users.noteReader',
  },
  {
    name: 'M5: votes are read again',
    file: 'src/modules/books/withdrawals/votes.ts',
    from: 'return isManager && whyNotVote(db, table.people, userId, null, now) === null',
    to: 'return isManager || userId !== ""',
  },
  {
    name: 'M6: who could be the client decides nothing of them',
    file: SERVICE,
    from: 'didFor(db, people, userId, traderId, CLIENT_TIES, now)',
    to: 'didFor(db, people, userId, traderId, CLIENT_TIES.slice(9), now)',
  },
  {
    name: 'invited: the mailbox is of who invited',
    file: 'src/modules/firm/staff/staff.service.ts',
    from: "noteAccountAct(tx, findStaffId(ctx.principal), user.id, 'invited')",
    to: '',
  },
  {
    name: 'announced: what a client announced takes two',
    file: 'src/modules/books/deposits/settlement.ts',
    from: "if (firstWordBy === null || firstWordAmount !== amount) return 'first'",
    to: "if (firstWordBy === null || firstWordAmount !== amount) return 'alone'",
  },
  {
    name: 'gateway: its secret is a hand',
    file: 'src/modules/books/deposits/gateway-results.ts',
    from: "noteClientAct(tx, result.secretBy, deposit.traderId, 'gateway_secret')",
    to: '',
  },
  {
    name: 'payout: nobody approves what they asked for',
    file: VOTES,
    from: 'if (isSame(row.requestedBy)) return payoutErrors.own_request()',
    to: '',
  },
  {
    name: 'terms: nobody pays by terms of their own',
    file: VOTES,
    from: 'setters.some(isSame)',
    to: 'setters.length < 0',
  },
  {
    name: 'threshold: a large payout takes two',
    file: VOTES,
    from: 'approvals: reaches(measure, sum) ? 2 : 1',
    to: 'approvals: reaches(measure, sum) ? 1 : 1',
  },
  {
    name: 'lifting: another person than who set it',
    file: BLOCKS,
    from: 'const own = deeds.filter((deed) => people.samePerson(deed.userId, userId))',
    to: 'const own = deeds.filter((deed) => deed.userId === "" && people.samePerson(deed.userId, userId))',
  },
  {
    name: 'match: a confirmed one takes two',
    file: 'src/modules/clients/sanctions/sanctions.decisions.ts',
    from: "if (weighLift(tx, hit, userId, people) === 'first') {",
    to: 'if (weighLift(tx, hit, userId, people).length === 0) {',
  },
  {
    name: 'left: a gateway of somebody who left pays nothing in',
    file: 'src/modules/books/psp/psp.callbacks.ts',
    from: 'const left = hasLeft(tx, source.secretBy)',
    to: 'const left = source.id === ""',
  },
  {
    name: 'deleted: a client with records is an admin’s to delete',
    file: 'src/modules/clients/traders/traders.service.ts',
    from: 'if (isKept(tx, id)) guardEvidence(tx, ctx, userId, id)',
    to: 'if (isKept(tx, id) && userId === "") guardEvidence(tx, ctx, userId, id)',
  },
  {
    name: 'named: a colleague’s name is theirs or an owner’s',
    file: 'src/modules/firm/staff/renaming.ts',
    from: 'if (!isOwner && id !== findStaffId(ctx.principal)) throw staffErrors.name_of_another()',
    to: 'if (!isOwner && id === "") throw staffErrors.name_of_another()',
  },
  {
    name: 'lifted: who lifted a block is not the only voter',
    file: 'src/modules/books/withdrawals/votes.ts',
    from: 'if (liftedBlock(table.db, people, userId, row.traderId, table.now))',
    to: 'if (need.approvals > 1 && liftedBlock(table.db, people, userId, row.traderId, table.now))',
  },
  {
    name: 'renamed: papers of somebody who is called otherwise wait',
    file: 'src/modules/clients/traders/traders.service.ts',
    from: 'const reopened = papers.reopen(tx, before.id)',
    to: 'const reopened: Partial<TraderRow> = papers === undefined ? {} : {}',
  },
  {
    name: 'commission: who approves a payout is a hand',
    file: PAYOUTS,
    from: '[requestedBy, ...votes.map((vote) => vote.userId)]',
    to: '[requestedBy]',
  },
  {
    name: 'confirm: nobody confirms a connection that they entered',
    file: CONNECTIONS,
    from: 'if (!isOwn(userId)) return whyNotVote(',
    to: "if (!isOwn(userId) || userId !== '') return whyNotVote(",
  },
  {
    name: 'terminal: its balances are the word of who entered it',
    file: 'src/modules/terminals/reading/report-balances.ts',
    from: 'by: row.enteredBy,',
    to: 'by: [],',
  },
  {
    name: 'unknown: money that nobody owns stays at the terminal',
    file: 'src/modules/books/transfers/home-limits.ts',
    from: ' - unexplained.amount',
    to: '',
  },
  {
    name: 'password: it goes to no place that it was not entered for',
    file: CONNECTIONS,
    from: 'if (password === undefined && NEED_PASSWORD.some(',
    to: "if (password === '' && NEED_PASSWORD.some(",
  },
  {
    name: 'explained: who explains money is a hand in it',
    file: 'src/modules/terminals/movements/close.service.ts',
    from: "noteClientAct(tx, userId, account.traderId, 'transfer')",
    to: '',
  },
]
