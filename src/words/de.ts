import { affiliates } from './de/affiliates.ts'
import { apiKeys } from './de/api-keys.ts'
import { audit } from './de/audit.ts'
import { auth } from './de/auth.ts'
import { bulk } from './de/bulk.ts'
import { clients } from './de/clients.ts'
import { dashboard } from './de/dashboard.ts'
import { deposits } from './de/deposits.ts'
import { common } from './de/everywhere.ts'
import { fields } from './de/fields.ts'
import { fx } from './de/fx.ts'
import { help } from './de/help.ts'
import { independence } from './de/independence.ts'
import { keptRecords } from './de/kept-records.ts'
import { lists } from './de/lists.ts'
import { mail } from './de/mail.ts'
import { merges } from './de/merges.ts'
import { money } from './de/money.ts'
import { notifications } from './de/notifications.ts'
import { palette } from './de/palette.ts'
import { parts } from './de/parts.ts'
import { problems } from './de/problems.ts'
import { sanctions } from './de/sanctions.ts'
import { savedViews } from './de/saved-views.ts'
import { security } from './de/security.ts'
import { shell } from './de/shell.ts'
import { sink } from './de/sink.ts'
import { standby } from './de/standby.ts'
import { system } from './de/system.ts'
import { timeline } from './de/timeline.ts'
import { transfers } from './de/transfers.ts'
import { users } from './de/users.ts'
import { views } from './de/views.ts'
import { webhooks } from './de/webhooks.ts'
import { withdrawals } from './de/withdrawals.ts'
import type { en } from './en.ts'

/** Sentences in German, by the keys of `en.ts`; a sentence that is missing here is shown in English. */
export const de: Readonly<Partial<Record<keyof typeof en, string>>> = {
  ...affiliates,
  ...apiKeys,
  ...audit,
  ...auth,
  ...bulk,
  ...clients,
  ...common,
  ...dashboard,
  ...deposits,
  ...fields,
  ...fx,
  ...help,
  ...independence,
  ...keptRecords,
  ...lists,
  ...mail,
  ...merges,
  ...money,
  ...notifications,
  ...palette,
  ...parts,
  ...problems,
  ...sanctions,
  ...savedViews,
  ...security,
  ...shell,
  ...sink,
  ...standby,
  ...system,
  ...timeline,
  ...transfers,
  ...users,
  ...views,
  ...webhooks,
  ...withdrawals,
}
