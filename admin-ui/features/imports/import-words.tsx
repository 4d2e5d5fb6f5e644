import { StatusBadge, type Tone } from '../../components/status-badge.tsx'
import { choices } from '../../lib/choices.ts'
import type { ImportField, ImportStatus } from './imports.api.ts'
import { say } from './words.ts'

const TONES: Record<ImportStatus, Tone> = {
  receiving: 'info',
  checking: 'info',
  checked: 'off',
  loading: 'info',
  loaded: 'wait',
  posting: 'info',
  done: 'good',
  undoing: 'info',
  undone: 'off',
  failed: 'bad',
}

/** How a file stands. */
export const ImportState = ({ status }: { status: ImportStatus }) => (
  <StatusBadge status={status} tone={TONES[status]} label={say(`movein.status.${status}`)} />
)

/** What a column can fill, in the order in which it is offered. */
export const FIELD_LABELS: Record<ImportField, string> = {
  externalId: say('movein.field.externalId'),
  email: say('movein.field.email'),
  phone: say('movein.field.phone'),
  name: say('movein.field.name'),
  firstName: say('movein.field.firstName'),
  lastName: say('movein.field.lastName'),
  country: say('movein.field.country'),
  language: say('movein.field.language'),
  dateOfBirth: say('movein.field.dateOfBirth'),
  street: say('movein.field.street'),
  city: say('movein.field.city'),
  region: say('movein.field.region'),
  postalCode: say('movein.field.postalCode'),
  tags: say('movein.field.tags'),
  source: say('movein.field.source'),
  affiliateCode: say('movein.field.affiliateCode'),
  platform: say('movein.field.platform'),
  accountNumber: say('movein.field.accountNumber'),
  leverage: say('movein.field.leverage'),
  isDemo: say('movein.field.isDemo'),
  currency: say('movein.field.currency'),
  balance: say('movein.field.balance'),
}
export const FIELDS = choices(FIELD_LABELS)
