import { accounts } from './en/accounts.ts'
import { adjustments } from './en/adjustments.ts'
import { ads } from './en/ads.ts'
import { affiliates } from './en/affiliates.ts'
import { apiKeys } from './en/api-keys.ts'
import { audit } from './en/audit.ts'
import { auditNames } from './en/audit-names.ts'
import { auth } from './en/auth.ts'
import { boxes } from './en/boxes.ts'
import { bulk } from './en/bulk.ts'
import { clients } from './en/clients.ts'
import { dashboard } from './en/dashboard.ts'
import { deposits } from './en/deposits.ts'
import { egress } from './en/egress.ts'
import { events } from './en/events.ts'
import { common } from './en/everywhere.ts'
import { fields } from './en/fields.ts'
import { files } from './en/files.ts'
import { fx } from './en/fx.ts'
import { gateways } from './en/gateways.ts'
import { help } from './en/help.ts'
import { imports } from './en/imports.ts'
import { independence } from './en/independence.ts'
import { jobs } from './en/jobs.ts'
import { keptRecords } from './en/kept-records.ts'
import { kyc } from './en/kyc.ts'
import { leads } from './en/leads.ts'
import { lists } from './en/lists.ts'
import { mail } from './en/mail.ts'
import { merges } from './en/merges.ts'
import { money } from './en/money.ts'
import { moveIn } from './en/move-in.ts'
import { notifications } from './en/notifications.ts'
import { palette } from './en/palette.ts'
import { parts } from './en/parts.ts'
import { positions } from './en/positions.ts'
import { problems } from './en/problems.ts'
import { reports } from './en/reports.ts'
import { sanctions } from './en/sanctions.ts'
import { savedViews } from './en/saved-views.ts'
import { security } from './en/security.ts'
import { settings } from './en/settings.ts'
import { shell } from './en/shell.ts'
import { sink } from './en/sink.ts'
import { standby } from './en/standby.ts'
import { support } from './en/support.ts'
import { system } from './en/system.ts'
import { tenants } from './en/tenants.ts'
import { terminals } from './en/terminals.ts'
import { timeline } from './en/timeline.ts'
import { transfers } from './en/transfers.ts'
import { users } from './en/users.ts'
import { views } from './en/views.ts'
import { wallets } from './en/wallets.ts'
import { webhooks } from './en/webhooks.ts'
import { withdrawals } from './en/withdrawals.ts'

/**
 * Every sentence that a person reads, in English, by its key: `area.what`, in ICU message syntax. Server and console
 * use the keys, so that a second language is a second set of files.
 */
export const en = {
  ...ads,
  ...affiliates,
  ...apiKeys,
  ...audit,
  ...boxes,
  ...auditNames,
  ...bulk,
  ...clients,
  ...common,
  ...dashboard,
  ...deposits,
  ...fields,
  ...fx,
  ...help,
  ...keptRecords,
  ...kyc,
  ...leads,
  ...lists,
  ...merges,
  ...palette,
  ...parts,
  ...reports,
  ...sanctions,
  ...savedViews,
  ...shell,
  ...sink,
  ...standby,
  ...support,
  ...system,
  ...timeline,
  ...views,
  ...webhooks,
  ...withdrawals,
  ...accounts,
  ...adjustments,
  ...auth,
  ...gateways,
  ...mail,
  ...positions,
  ...security,
  ...settings,
  ...tenants,
  ...terminals,
  ...transfers,
  ...users,
  ...wallets,
  ...egress,
  ...events,
  ...files,
  ...imports,
  ...independence,
  ...jobs,
  ...money,
  ...moveIn,
  ...notifications,
  ...problems,
} as const
