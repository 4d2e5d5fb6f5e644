import { isPlatformUsed } from './modules/accounts/accounts.platforms.ts'
import type { SettingsWatch } from './modules/tenants/tenants.service.ts'
import { keepPolicy } from './modules/withdrawals/approval-policy.ts'

// A module that asks for something of modules above it declares that as a type and imports none of them. Here, and
// nowhere else, they are handed to it; one that is missing does not compile. src/README “Imports”.

/** What money has to say when a firm changes its settings. */
export const settingsWatch: SettingsWatch = { isPlatformUsed, beforeCurrencyChanges: keepPolicy }
