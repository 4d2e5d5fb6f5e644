import type { AccountHooks } from './modules/accounts/accounts.hooks.ts'
import { openAdjustments } from './modules/adjustments/open-money.ts'
import { referrals } from './modules/affiliates/attribution.ts'
import { openCommissions } from './modules/affiliates/open-money.ts'
import { openDeposits } from './modules/deposits/open-money.ts'
import { hasClosedPositions, linkPositions, passPositionsOn } from './modules/positions/positions.link.ts'
import { openMoneyOf } from './modules/traders/open-money.ts'
import type { TraderHooks } from './modules/traders/traders.hooks.ts'
import { hasMoney, hasMoneyOnItsWay, hasTransfers, wasTakenLately } from './modules/transfers/account-funding.ts'
import { openOnAccounts, openTransfers } from './modules/transfers/open-money.ts'
import { openInWallets } from './modules/wallets/open-money.ts'
import { openWithdrawals } from './modules/withdrawals/open-money.ts'

// Who declares a part knows nobody of those who play it: modules above it are handed down to it here and nowhere else.
// A part that nobody plays does not compile. src/README “Imports”.

/** What clients ask before they are made, moved to another affiliate, or deleted. */
export const traderHooks: TraderHooks = {
  openMoney: openMoneyOf({
    wallets: openInWallets,
    deposits: openDeposits,
    withdrawals: openWithdrawals,
    transfers: openTransfers,
    adjustments: openAdjustments,
    accounts: openOnAccounts,
    commissions: openCommissions,
  }),
  referrals,
}

/** What accounts ask before they are changed or deleted, and who follows them. */
export const accountHooks: AccountHooks = {
  funding: { hasMoney, hasMoneyOnItsWay, hasTransfers, wasTakenLately },
  trades: { link: linkPositions, passOn: passPositionsOn, hasClosed: hasClosedPositions },
}
