import { ads } from './en/ads.ts'
import { affiliates } from './en/affiliates.ts'
import { apiKeys } from './en/api-keys.ts'
import { audit } from './en/audit.ts'
import { clients } from './en/clients.ts'
import { dashboard } from './en/dashboard.ts'
import { deposits } from './en/deposits.ts'
import { common } from './en/everywhere.ts'
import { fields } from './en/fields.ts'
import { fx } from './en/fx.ts'
import { kyc } from './en/kyc.ts'
import { leads } from './en/leads.ts'
import { lists } from './en/lists.ts'
import { merges } from './en/merges.ts'
import { palette } from './en/palette.ts'
import { reports } from './en/reports.ts'
import { sanctions } from './en/sanctions.ts'
import { savedViews } from './en/saved-views.ts'
import { shell } from './en/shell.ts'
import { support } from './en/support.ts'
import { system } from './en/system.ts'
import { timeline } from './en/timeline.ts'
import { views } from './en/views.ts'
import { webhooks } from './en/webhooks.ts'
import { withdrawals } from './en/withdrawals.ts'

/**
 * Every sentence that a person reads, in English, by its key: `area.what`, in ICU message syntax. Modules and the
 * console name keys, so that a second language is a second file. Areas that came before the catalogue follow.
 */
export const en = {
  ...ads,
  ...affiliates,
  ...apiKeys,
  ...audit,
  ...clients,
  ...common,
  ...dashboard,
  ...deposits,
  ...fields,
  ...fx,
  ...kyc,
  ...leads,
  ...lists,
  ...merges,
  ...palette,
  ...reports,
  ...sanctions,
  ...savedViews,
  ...shell,
  ...support,
  ...system,
  ...timeline,
  ...views,
  ...webhooks,
  ...withdrawals,
} as const
