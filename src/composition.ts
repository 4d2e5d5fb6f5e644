import type { AccountHooks } from './modules/accounts/accounts.hooks.ts'
import { isPlatformUsed } from './modules/accounts/accounts.platforms.ts'
import { openAdjustments } from './modules/adjustments/open-money.ts'
import { referrals } from './modules/affiliates/attribution.ts'
import { openCommissions } from './modules/affiliates/open-money.ts'
import { keepPolicy } from './modules/approval-policy/approval-policy.ts'
import { isGoodLink } from './modules/auth/auth.links.ts'
import type { Owners } from './modules/auth/auth.owners.ts'
import { openDeposits } from './modules/deposits/open-money.ts'
import { openOpenings } from './modules/imports/open-money.ts'
import { noteAccountAct, noteClientAct } from './modules/independence/independence.service.ts'
import { reopenPapers } from './modules/kyc/kyc.reopened.ts'
import type { Recipients } from './modules/mails/mails.hooks.ts'
import { hasClosedPositions, linkPositions, passPositionsOn } from './modules/positions/positions.link.ts'
import { whyKept } from './modules/privacy/retention.ts'
import { afterLeaving } from './modules/staff/leaves-behind.ts'
import type { StaffHooks } from './modules/staff/staff.hooks.ts'
import type { TenantHooks } from './modules/tenants/tenants.hooks.ts'
import { openMoneyOf } from './modules/traders/open-money.ts'
import type { TraderHooks } from './modules/traders/traders.hooks.ts'
import { traderOwners } from './modules/traders/traders.owner.ts'
import { findClient } from './modules/traders/traders.recipient.ts'
import { hasMoney, hasMoneyOnItsWay, hasTransfers, wasTakenLately } from './modules/transfers/account-funding.ts'
import { openOnAccounts, openTransfers } from './modules/transfers/open-money.ts'
import { userOwners } from './modules/users/users.owner.ts'
import { findColleague } from './modules/users/users.recipient.ts'
import { openInWallets } from './modules/wallets/open-money.ts'
import { openWithdrawals } from './modules/withdrawals/open-money.ts'

// A module that asks for something of modules above it declares that as a type and imports none of them. Here, and
// nowhere else, they are handed to it; one that is missing does not compile. src/README “Imports”.

/** Who signs in. */
export const owners: Owners = { users: userOwners, traders: traderOwners }

/** What is done where a colleague goes. */
export const staffHooks: StaffHooks = { afterLeaving }

/** What money has to say when a firm changes its settings. */
export const tenantHooks: TenantHooks = { isPlatformUsed, beforeCurrencyChanges: keepPolicy }

/** Who gets mail. Whoever reads a link that is held could be the person whom it lets in. RULES “Independence”. */
export const recipients: Recipients = {
  users: { find: findColleague, noteReader: (tx, reader, id) => noteAccountAct(tx, reader, id, 'link') },
  traders: { find: findClient, noteReader: (tx, reader, id) => noteClientAct(tx, reader, id, 'read_link') },
  isGoodLink,
}

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
    openings: openOpenings,
  }),
  referrals,
  papers: { reopen: reopenPapers },
  isKept: (db, traderId) => whyKept(db, traderId) !== null,
}

/** What accounts ask before they are changed or deleted, and who follows them. */
export const accountHooks: AccountHooks = {
  funding: { hasMoney, hasMoneyOnItsWay, hasTransfers, wasTakenLately },
  trades: { link: linkPositions, passOn: passPositionsOn, hasClosed: hasClosedPositions },
}
