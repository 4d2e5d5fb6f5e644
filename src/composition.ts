import type { Recipients } from './modules/base/mails/mails.hooks.ts'
import type { AccountHooks } from './modules/books/accounts/accounts.hooks.ts'
import { isPlatformUsed } from './modules/books/accounts/accounts.platforms.ts'
import { openAdjustments } from './modules/books/adjustments/open-money.ts'
import { keepPolicy } from './modules/books/approval-policy/approval-policy.ts'
import { deposits } from './modules/books/deposits/deposits.table.ts'
import { openDeposits } from './modules/books/deposits/open-money.ts'
import { hasClosedPositions, linkPositions, passPositionsOn } from './modules/books/positions/positions.link.ts'
import { hasMoney, hasMoneyOnItsWay, hasTransfers, wasTakenLately } from './modules/books/transfers/account-funding.ts'
import { openOnAccounts, openTransfers } from './modules/books/transfers/open-money.ts'
import type { TransferHooks } from './modules/books/transfers/transfers.hooks.ts'
import { transfers } from './modules/books/transfers/transfers.table.ts'
import { describeBalances } from './modules/books/wallets/client-balances.ts'
import { openInWallets } from './modules/books/wallets/open-money.ts'
import type { WalletHooks } from './modules/books/wallets/wallets.hooks.ts'
import { openWithdrawals } from './modules/books/withdrawals/open-money.ts'
import { withdrawals } from './modules/books/withdrawals/withdrawals.table.ts'
import { reopenPapers } from './modules/clients/kyc/kyc.reopened.ts'
import { createOpenMoney } from './modules/clients/traders/open-money.ts'
import type { TraderHooks } from './modules/clients/traders/traders.hooks.ts'
import { traderOwners } from './modules/clients/traders/traders.owner.ts'
import { findClient } from './modules/clients/traders/traders.recipient.ts'
import { isGoodLink } from './modules/firm/auth/auth.links.ts'
import type { Owners } from './modules/firm/auth/auth.owners.ts'
import { noteAccountAct, noteClientAct } from './modules/firm/independence/independence.service.ts'
import type { StaffHooks } from './modules/firm/staff/staff.hooks.ts'
import type { TenantHooks } from './modules/firm/tenants/tenants.hooks.ts'
import { userOwners } from './modules/firm/users/users.owner.ts'
import { findColleague } from './modules/firm/users/users.recipient.ts'
import { referrals } from './modules/growth/affiliates/attribution.ts'
import { openCommissions } from './modules/growth/affiliates/open-money.ts'
import { openOpenings } from './modules/overview/imports/open-money.ts'
import { afterLeaving } from './modules/overview/leavers/leaves-behind.ts'
import { whyKept } from './modules/overview/privacy/retention.ts'
import { whereActed } from './modules/overview/reporting/client-acts.ts'
import { linkHooks } from './modules/terminals/accounts/link.hooks.ts'
import { isPasswordLink } from './modules/terminals/instructions/passwords.ts'
import { moneyHooks } from './modules/terminals/sending/money.hooks.ts'
import type { Scope } from './platform/access/catalogue.ts'
import { hasScope } from './platform/access/principal.ts'

// A module declares as a type what it needs from higher modules, and imports none of them. Only this file provides it;
// a missing part does not compile. src/README “Imports”.

export const owners: Owners = { users: userOwners, traders: traderOwners }

export const staffHooks: StaffHooks = { afterLeaving }

/** Stops or prepares changes of a firm's settings that concern money. */
export const tenantHooks: TenantHooks = { isPlatformUsed, beforeCurrencyChanges: keepPolicy }

/** Names what moved money by the references that people know; a key gets only those that it may read at the cause. */
export const walletHooks: WalletHooks = {
  findReferences({ db, principal }, all) {
    const ids = (scope: Scope): string[] => (hasScope(principal, scope) ? [...all] : [])
    return new Map<string, string | null>([
      ...db
        .list(deposits, { id: ids('deposits:read') })
        .map(({ id, providerReference }) => [id, providerReference] as const),
      ...db
        .list(withdrawals, { id: ids('withdrawals:read') })
        .map(({ id, paymentReference }) => [id, paymentReference] as const),
      ...db.list(transfers, { id: [...all] }).map(({ id, reference }) => [id, reference] as const),
    ])
  },
}

/**
 * The recipients of mail. Whoever reads a held link could sign in as its person, and is noted. RULES “Independence”.
 */
export const recipients: Recipients = {
  users: { find: findColleague, noteReader: (tx, reader, id) => noteAccountAct(tx, reader, id, 'link') },
  traders: { find: findClient, noteReader: (tx, reader, id) => noteClientAct(tx, reader, id, 'read_link') },
  isGoodLink: (db, token) => isGoodLink(db, token) || isPasswordLink(db, token),
}

/** Answers questions before clients are created, moved to another affiliate, or deleted. */
export const traderHooks: TraderHooks = {
  openMoney: createOpenMoney({
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
  whereActed,
  describeBalances: (ctx, ids) => (hasScope(ctx.principal, 'wallets:read') ? describeBalances(ctx.db, ids) : new Map()),
  isKept: (db, traderId) => whyKept(db, traderId) !== null,
}

/** Answers questions before accounts are changed or deleted, and moves their positions. */
export const accountHooks: AccountHooks = {
  funding: { hasMoney, hasMoneyOnItsWay, hasTransfers, wasTakenLately },
  trades: { link: linkPositions, passOn: passPositionsOn, hasClosed: hasClosedPositions },
  terminals: linkHooks,
}

/** Lets trading servers that Brokerbase speaks to itself move the money of transfers. */
export const transferHooks: TransferHooks = moneyHooks
