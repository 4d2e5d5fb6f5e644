import { defineErrors } from '../../platform/http/problem.ts'

/** A code that rules.md names stands without the module's name. */
export const namedErrors = defineErrors('', {
  needs_withdrawal: [
    409,
    'From the firm’s threshold on (what you moved in 24 hours counts) money to another trader is paid out as a withdrawal.',
  ],
})

export const transferErrors = defineErrors('transfers', {
  trader_not_active: [409, 'The trader is not active.'],
  legal_hold: [409, 'The trader is under legal hold: nothing leaves the wallet.'],
  account_not_active: [409, 'The trading account is not active.'],
  other_trader: [403, 'A transfer to another trader needs the role manager or higher.'],
  from_account: [403, 'Money from a trading account is booked by staff of the role manager or higher.'],
  above_funding: [403, 'That is more than was moved to this account; gains are booked by an admin.'],
  above_balance: [
    409,
    'That is more than the platform reported for this account, or than was moved to it, less what was taken already.',
    'What was taken counts until a report that comes 72 hours later or more.',
  ],
  own_balance: [403, 'You entered this balance yourself: somebody else books what was earned.'],
  own_link: [
    403,
    'You said in the last 30 days which account is this client’s, or that the platform refused their money:',
    'somebody else books what was earned there.',
  ],
  old_balance: [409, 'The balance was reported more than 72 hours ago: have it reported again.'],
  not_reported: [
    409,
    'The platform’s bridge has never reported this account: look at its number and currency, or have somebody report it.',
  ],
  sanctions_hit: [409, 'A sanctions match is open or confirmed: nothing leaves the wallet.'],
})
