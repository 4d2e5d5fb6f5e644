import type { Role } from '../../../lib/api/session.ts'
import type { SearchParams } from '../../../lib/lists/search-params.ts'
import type { PagePath } from '../../../lib/screen/page-path.ts'
import type { Step } from './first-week.api.ts'
import type { SentenceKey } from './words.ts'

/** Where a step is done: the page that opens the form, and the least role that may do it. */
type Way = { title: SentenceKey; about: SentenceKey; to: PagePath; search?: SearchParams; least: Role }

export const WAYS: Record<Step, Way> = {
  first_colleague: {
    title: 'dashboard.week.colleague',
    about: 'dashboard.week.colleague.about',
    to: '/users',
    search: { new: 'manager' },
    least: 'admin',
  },
  sanctions_list: {
    title: 'dashboard.week.sanctions',
    about: 'dashboard.week.sanctions.about',
    to: '/sanctions',
    search: { tab: 'lists', new: '1' },
    least: 'admin',
  },
  first_client: {
    title: 'dashboard.week.client',
    about: 'dashboard.week.client.about',
    to: '/traders',
    search: { new: '1' },
    least: 'operator',
  },
  first_deposit: {
    title: 'dashboard.week.deposit',
    about: 'dashboard.week.deposit.about',
    to: '/deposits',
    search: { new: '1' },
    least: 'manager',
  },
  second_manager: {
    title: 'dashboard.week.manager',
    about: 'dashboard.week.manager.about',
    to: '/users',
    least: 'admin',
  },
  mail_server: { title: 'dashboard.week.mail', about: 'dashboard.week.mail.about', to: '/mail', least: 'admin' },
  backups: {
    title: 'dashboard.week.backups',
    about: 'dashboard.week.backups.about',
    to: '/system',
    least: 'platform_admin',
  },
  second_factor: {
    title: 'dashboard.week.factor',
    about: 'dashboard.week.factor.about',
    to: '/security',
    least: 'owner',
  },
  exchange_rates: { title: 'dashboard.week.rates', about: 'dashboard.week.rates.about', to: '/rates', least: 'admin' },
  gateway_or_key: {
    title: 'dashboard.week.gateway',
    about: 'dashboard.week.gateway.about',
    to: '/gateways',
    least: 'admin',
  },
  working_hours: {
    title: 'dashboard.week.hours',
    about: 'dashboard.week.hours.about',
    to: '/settings',
    search: { tab: 'support' },
    least: 'admin',
  },
  logo: { title: 'dashboard.week.logo', about: 'dashboard.week.logo.about', to: '/settings', least: 'admin' },
}
