import { StatusBadge, type Tone } from '../../../components/show/status-badge.tsx'
import { choices } from '../../../lib/text/choices.ts'
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

export const ImportState = ({ status }: { status: ImportStatus }) => (
  <StatusBadge status={status} tone={TONES[status]} label={say(`movein.status.${status}`)} />
)

/** The fields that a column can fill, in the order in which they are offered. */
export const FIELD_LABELS: Record<ImportField, string> = {
  externalId: say('movein.field.externalId'),
  email: say('field.email'),
  phone: say('field.phone'),
  name: say('movein.field.name'),
  firstName: say('field.firstName'),
  lastName: say('field.lastName'),
  country: say('field.country'),
  language: say('field.language'),
  dateOfBirth: say('field.dateOfBirth'),
  street: say('field.street'),
  city: say('field.city'),
  region: say('field.region'),
  postalCode: say('field.postalCode'),
  tags: say('field.tags'),
  source: say('field.source'),
  affiliateCode: say('movein.field.affiliateCode'),
  platform: say('movein.field.platform'),
  server: say('movein.field.server'),
  accountNumber: say('movein.field.accountNumber'),
  leverage: say('movein.field.leverage'),
  isDemo: say('movein.field.isDemo'),
  group: say('movein.field.group'),
  currency: say('movein.field.currency'),
  balance: say('movein.field.balance'),
}
export const FIELDS = choices(FIELD_LABELS)
