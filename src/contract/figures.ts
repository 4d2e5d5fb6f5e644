/** A figure of a rule: the line of code that has it, and every text that tells it. */
type Figure = { is: readonly [file: string, code: string]; told: readonly (readonly [file: string, words: string])[] }

const RULES = 'src/RULES.md'
const API = 'src/manual/api.md'
const words = (area: string): string => `src/words/en/${area}.ts`
const module = (path: string): string => `src/modules/${path}.ts`

/**
 * Figures that texts repeat. Whoever changes one changes the texts, and this list; one that is told by the rules and
 * one other text at least belongs here.
 */
export const FIGURES: readonly Figure[] = [
  {
    is: [module('auth/auth.links'), 'LIFE = { invite: DAY, reset: HOUR }'],
    told: [
      [RULES, 'a link that lives 24 hours'],
      [RULES, 'Links to reset live one hour, links to join 24.'],
      [words('users'), 'The link works once and for 24 hours.'],
      [words('users'), 'It works once and for 24 hours.'],
      [words('auth'), 'set your password here within 24 hours'],
      ['src/manual/limits.md', 'lapsed after 24 hours'],
    ],
  },
  { is: [module('auth/auth.links'), 'MOST_AN_HOUR = 3'], told: [[RULES, 'At most three go to one recipient']] },
  {
    is: [module('auth/auth.throttle'), 'WINDOW = 15 * MINUTE\nconst FREE_TRIES = 5\nconst LONGEST_WAIT = 5 * MINUTE'],
    told: [
      [RULES, 'After five failures of one browser at one account within 15 minutes'],
      [RULES, 'up to five minutes'],
    ],
  },
  { is: [module('auth/auth.codes'), 'MOST_WRONG = 10'], told: [[RULES, 'Ten wrong codes in 15 minutes']] },
  { is: [module('auth/auth.service'), 'MOST_SESSIONS = 50'], told: [[RULES, 'A person has at most 50.']] },
  {
    is: ['src/platform/access/fresh.ts', 'FRESH = 15 * MINUTE'],
    told: [
      [RULES, 'for 15 minutes after its password was given'],
      [API, 'renews the session for 15 minutes'],
    ],
  },
  {
    is: [module('independence/standing'), 'TIME_ALONE = 72 * HOUR'],
    told: [
      [RULES, 'it becomes so 72 hours after the last of these acts'],
      [API, 'or 72 hours'],
      [words('independence'), 'and 72 hours have passed: from now on'],
      [words('independence'), 'No third person is there, and 72 hours have passed.'],
      [words('independence'), 'it becomes theirs alone 72 hours after'],
    ],
  },
  {
    is: [module('independence/independence.service'), 'COUNTS_FOR = 30 * DAY'],
    told: [
      [RULES, 'nor decides anything of them for 30 days'],
      [RULES, 'Who within 30 days brought money to a client by hand'],
      [RULES, 'Whoever linked the account to the client books no gain from it for 30 days'],
      [words('transfers'), 'You said in the last 30 days which account is this client’s, or that'],
      [words('transfers'), 'You said in the last 30 days which account is this client’s: from the firm’s threshold on'],
    ],
  },
  {
    is: [module('traders/traders.service'), 'RESTORE_DAYS = 30'],
    told: [
      [RULES, 'they can be restored for 30 days'],
      [RULES, 'After 30 days the person is erased'],
      [module('traders/traders.routes'), 'restorable for 30 days'],
      [words('clients'), 'Personal data is erased 30 days after that'],
      [words('clients'), 'You can restore the client for 30 days'],
      [words('system'), 'Erases clients who were deleted 30 days ago.'],
    ],
  },
  {
    is: [module('traders/traders.model'), 'MOST_LABELS = 50'],
    told: [
      [words('merges'), 'Segments beyond 50'],
      [words('merges'), 'Tags beyond 50'],
    ],
  },
  {
    is: [module('traders/merged.queries'), 'APART = 72 * HOUR'],
    told: [
      [RULES, 'approves nothing of the primary for 72 hours'],
      [words('merges'), 'with another one in the last 72 hours'],
      [words('merges'), 'You approve no withdrawal of {primary} for 72 hours.'],
    ],
  },
  {
    is: [module('approval-policy/approval-policy'), 'APPROVAL_LIFE = 72 * HOUR'],
    told: [
      [RULES, 'A vote lapses after 72 hours'],
      [API, 'Votes lapse after 72 hours'],
      [words('withdrawals'), 'An approval counts for 72 hours.'],
    ],
  },
  {
    is: [module('approval-policy/approval-policy'), 'SUM_OVER = 24 * HOUR'],
    told: [
      [RULES, 'asked for or approved for one client in 24 hours counts together'],
      [words('withdrawals'), 'what you asked for or approved for this client in 24 hours'],
      [words('withdrawals'), 'beyond {limit} {currency} in 24 hours a second person approves too'],
    ],
  },
  {
    is: [module('approval-policy/approval-policy'), '10_000n * 10n'],
    told: [[RULES, "10,000 of the firm's currency by default"]],
  },
  {
    is: [module('independence/independence.service'), 'SMALL_FIRM = 3'],
    told: [[RULES, 'Where fewer than three active people']],
  },
  {
    is: [module('withdrawals/withdrawals.states'), 'PAY_WITHIN = 7 * DAY'],
    told: [
      [RULES, 'not paid within seven days goes back'],
      [API, 'within 7 days must be approved again'],
      [words('withdrawals'), 'It was approved more than seven days ago'],
    ],
  },
  {
    is: [module('fx/fx.history'), 'MAX_CHANGE = 5n\nconst MAX_CRYPTO_CHANGE = 20n'],
    told: [[RULES, 'differs by more than 5 % (crypto 20 %)']],
  },
  {
    is: [module('fx/fx.service'), 'MOST_RATES = 5000\nconst MOST_WAITING = 1000'],
    told: [[RULES, 'at most 5,000 rates, 1,000 that wait and 2,000 for past days']],
  },
  { is: [module('fx/fx.past'), 'MOST_PAST = 2000'], told: [[RULES, '2,000 for past days']] },
  {
    is: [module('files/files.model'), 'MAX_FILE_BYTES = 15 * MIB'],
    told: [
      [RULES, 'at most 15 MiB'],
      [words('kyc'), '{name} is larger than 15 MB'],
      [words('kyc'), 'up to 15 MB each'],
    ],
  },
  { is: [module('sanctions/matcher'), 'THRESHOLD = 85'], told: [[RULES, 'from a score of 85 on']] },
  {
    is: [module('support/support.service'), 'REOPEN_DAYS = 14'],
    told: [
      [RULES, 'it is opened again within 14 days'],
      [module('support/support.routes'), 'Open it again within 14 days'],
      [words('support'), 'This works for 14 days after it was closed.'],
      [words('support'), 'The ticket was closed more than 14 days ago'],
    ],
  },
  {
    is: [module('support/thread'), 'CLIENT_MOST = { messages: 200, characters: 128 * KIB }'],
    told: [[RULES, 'at most 200 messages and 128 Ki characters']],
  },
  {
    is: [module('sandbox/sandbox.service'), 'DEADLINE = 30 * SECOND'],
    told: [[RULES, 'without secrets: 30 seconds']],
  },
  {
    is: [module('sandbox/sandbox.query'), 'MOST_ROWS = 10_000\nconst MOST_BYTES = 8 * MIB'],
    told: [[RULES, '10,000 rows, 8 MiB']],
  },
  {
    is: [module('sandbox/sandbox.statement'), 'MOST_CHARACTERS = 20_000'],
    told: [[RULES, 'at most 20,000 characters']],
  },
  { is: [module('views/views.service'), 'VIEW_LIFE = 15 * MINUTE'], told: [[RULES, 'read-only, for 15 minutes']] },
  {
    is: [module('events/events.model'), 'KEPT = 30 * DAY'],
    told: [
      [module('events/events.routes'), 'events of the last 30 days'],
      [RULES, "the firm's events of the last 30 days"],
      [API, "the firm's events of the last 30 days"],
      [words('webhooks'), 'Events are kept for 30 days, updates of positions for a day.'],
      [words('webhooks'), 'Events are kept for 30 days and can be recovered'],
    ],
  },
  {
    is: [module('webhooks/webhooks.errors'), 'MAX_SUBSCRIPTIONS = 50'],
    told: [[RULES, 'A firm has at most 50 subscriptions.']],
  },
  {
    is: [module('webhooks/webhooks.schedule'), 'DISABLE_AFTER = 5 * DAY'],
    told: [[words('webhooks'), 'no delivery succeeded for five days']],
  },
  {
    is: [module('affiliates/affiliates.service'), 'REST_OF_CODE = 90 * DAY'],
    told: [[RULES, 'not given to anybody else for 90 days']],
  },
  { is: [module('commissions/sources'), 'LEAST_HELD = 180 * SECOND'], told: [[RULES, 'for less than 180 seconds']] },
  { is: [module('leads/leads.import'), 'MAX_ROWS = 10_000'], told: [[RULES, 'up to 10,000 rows at once']] },
  {
    is: [module('imports/imports.model'), 'MOST_LINES = 200_000'],
    told: [[RULES, 'a CSV file of at most 200,000 lines']],
  },
  { is: [module('imports/imports.compared'), 'MOST_OF_CLIENT = 100'], told: [[RULES, 'most 100 lines of a file']] },
  {
    is: [module('imports/imports.jobs'), 'KEPT = 30 * DAY'],
    told: [
      [RULES, 'mistakes can be read for 30 days'],
      [words('system'), 'and their mistakes after 30 days.'],
    ],
  },
]
