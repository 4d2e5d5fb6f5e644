import type { Role } from '../../../lib/api/session.ts'
import type { Place } from '../../../lib/lists/places.ts'
import { NAVIGATION } from '../../../lib/screen/nav.ts'
import { say as sayGateways } from '../../books/gateways/words.ts'
import { say as saySanctions } from '../../clients/sanctions/words.ts'
import { say as saySupport } from '../../clients/support/words.ts'
import { say as sayClients } from '../../clients/traders/words.ts'
import { say as saySettings } from '../../firm/settings/words.ts'
import { say as sayAffiliates } from '../../growth/affiliates/words.ts'
import { say as sayReports } from '../reports/words.ts'

/** A page, or a part of one, that the side bar does not name. */
type MorePage = Place & { id: string; label: string; least: Role }

const PAGES = NAVIGATION.flatMap(({ items }) => items)
/** Returns the parts of a page, each with its tab. */
const listTabs = (
  to: Place['to'],
  tabs: readonly (readonly [tab: string, label: string, least: Role])[],
): MorePage[] => {
  const name = PAGES.find((page) => page.to === to)?.label ?? ''
  return tabs.map(([tab, label, least]) => ({
    id: `${to} ${tab}`,
    label: `${name} › ${label}`,
    to,
    search: { tab },
    least,
  }))
}

/** The pages that the palette offers beside those of the side bar. */
export const MORE_PAGES: readonly MorePage[] = [
  ...listTabs('/reports', [
    ['cohorts', sayReports('reports.tab.cohorts'), 'manager'],
    ['earnings', sayReports('reports.tab.earnings'), 'manager'],
    ['revenue', sayReports('reports.tab.revenue'), 'manager'],
    ['activity', sayReports('reports.tab.activity'), 'manager'],
    ['tax', sayReports('reports.tab.tax'), 'manager'],
  ]),
  ...listTabs('/affiliates', [
    ['payouts', sayAffiliates('affiliates.tab.payouts'), 'viewer'],
    ['commissions', sayAffiliates('affiliates.tab.commissions'), 'viewer'],
    ['plans', sayAffiliates('affiliates.tab.plans'), 'manager'],
    ['runs', sayAffiliates('affiliates.tab.runs'), 'manager'],
    ['funnel', sayAffiliates('affiliates.tab.funnel'), 'viewer'],
  ]),
  ...listTabs('/settings', [
    ['approvals', saySettings('common.approvals'), 'admin'],
    ['support', saySettings('settings.tab.support'), 'admin'],
    ['identity', saySettings('common.identity'), 'admin'],
  ]),
  ...listTabs('/sanctions', [['lists', saySanctions('sanctions.lists'), 'manager']]),
  ...listTabs('/support', [['overdue', saySupport('support.overdue'), 'viewer']]),
  ...listTabs('/gateways', [['exceptions', sayGateways('gateways.exceptions'), 'manager']]),
  { id: '/traders/import', label: sayClients('client.import'), to: '/traders/import', search: {}, least: 'manager' },
]
