import { accounts } from './de/accounts.ts'
import { adjustments } from './de/adjustments.ts'
import { ads } from './de/ads.ts'
import { affiliates } from './de/affiliates.ts'
import { apiKeys } from './de/api-keys.ts'
import { audit } from './de/audit.ts'
import { auditNames } from './de/audit-names.ts'
import { auth } from './de/auth.ts'
import { boxes } from './de/boxes.ts'
import { bulk } from './de/bulk.ts'
import { clients } from './de/clients.ts'
import { dashboard } from './de/dashboard.ts'
import { deposits } from './de/deposits.ts'
import { egress } from './de/egress.ts'
import { events } from './de/events.ts'
import { common } from './de/everywhere.ts'
import { fields } from './de/fields.ts'
import { files } from './de/files.ts'
import { fx } from './de/fx.ts'
import { gateways } from './de/gateways.ts'
import { help } from './de/help.ts'
import { imports } from './de/imports.ts'
import { independence } from './de/independence.ts'
import { jobs } from './de/jobs.ts'
import { keptRecords } from './de/kept-records.ts'
import { kyc } from './de/kyc.ts'
import { leads } from './de/leads.ts'
import { lists } from './de/lists.ts'
import { mail } from './de/mail.ts'
import { merges } from './de/merges.ts'
import { money } from './de/money.ts'
import { moveIn } from './de/move-in.ts'
import { notifications } from './de/notifications.ts'
import { palette } from './de/palette.ts'
import { parts } from './de/parts.ts'
import { positions } from './de/positions.ts'
import { problems } from './de/problems.ts'
import { reports } from './de/reports.ts'
import { sanctions } from './de/sanctions.ts'
import { savedViews } from './de/saved-views.ts'
import { security } from './de/security.ts'
import { settings } from './de/settings.ts'
import { shell } from './de/shell.ts'
import { sink } from './de/sink.ts'
import { standby } from './de/standby.ts'
import { support } from './de/support.ts'
import { system } from './de/system.ts'
import { tenants } from './de/tenants.ts'
import { terminals } from './de/terminals.ts'
import { timeline } from './de/timeline.ts'
import { transfers } from './de/transfers.ts'
import { users } from './de/users.ts'
import { views } from './de/views.ts'
import { wallets } from './de/wallets.ts'
import { webhooks } from './de/webhooks.ts'
import { withdrawals } from './de/withdrawals.ts'
import type { en } from './en.ts'

/** Every sentence of `en.ts` in German. */
export const de: Readonly<Record<keyof typeof en, string>> = {
  ...accounts,
  ...adjustments,
  ...ads,
  ...affiliates,
  ...apiKeys,
  ...audit,
  ...auditNames,
  ...auth,
  ...boxes,
  ...bulk,
  ...clients,
  ...common,
  ...dashboard,
  ...deposits,
  ...egress,
  ...events,
  ...fields,
  ...files,
  ...fx,
  ...gateways,
  ...help,
  ...imports,
  ...independence,
  ...jobs,
  ...keptRecords,
  ...kyc,
  ...leads,
  ...lists,
  ...mail,
  ...merges,
  ...money,
  ...moveIn,
  ...notifications,
  ...palette,
  ...parts,
  ...positions,
  ...problems,
  ...reports,
  ...sanctions,
  ...savedViews,
  ...security,
  ...settings,
  ...shell,
  ...sink,
  ...standby,
  ...support,
  ...system,
  ...tenants,
  ...terminals,
  ...timeline,
  ...transfers,
  ...users,
  ...views,
  ...wallets,
  ...webhooks,
  ...withdrawals,
}
