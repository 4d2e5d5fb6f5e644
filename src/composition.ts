import { isPlatformUsed } from './modules/accounts/accounts.platforms.ts'
import type { Owners } from './modules/auth/auth.owners.ts'
import { noteAccountAct, noteClientAct } from './modules/independence/independence.service.ts'
import type { Recipients } from './modules/mails/mails.hooks.ts'
import type { TenantHooks } from './modules/tenants/tenants.hooks.ts'
import { traderOwners } from './modules/traders/traders.owner.ts'
import { findClient } from './modules/traders/traders.recipient.ts'
import { userOwners } from './modules/users/users.owner.ts'
import { findColleague } from './modules/users/users.recipient.ts'
import { keepPolicy } from './modules/withdrawals/approval-policy.ts'

// A module that asks for something of modules above it declares that as a type and imports none of them. Here, and
// nowhere else, they are handed to it; one that is missing does not compile. src/README “Imports”.

/** Who signs in. */
export const owners: Owners = { users: userOwners, traders: traderOwners }

/** What money has to say when a firm changes its settings. */
export const tenantHooks: TenantHooks = { isPlatformUsed, beforeCurrencyChanges: keepPolicy }

/** Who gets mail. Whoever reads a link that is held could be the person whom it lets in. RULES “Independence”. */
export const recipients: Recipients = {
  users: { find: findColleague, noteReader: (tx, reader, id) => noteAccountAct(tx, reader, id, 'link') },
  traders: { find: findClient, noteReader: (tx, reader, id) => noteClientAct(tx, reader, id, 'read_link') },
}
