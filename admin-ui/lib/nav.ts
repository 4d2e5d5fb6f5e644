import {
  IconAdjustmentsDollar,
  IconAffiliate,
  IconBuilding,
  IconBuildingBank,
  IconCash,
  IconCashBanknote,
  IconChartBar,
  IconChartCandle,
  IconDatabaseSearch,
  IconExchange,
  IconEye,
  IconHistory,
  IconId,
  IconKey,
  IconLayoutDashboard,
  IconMail,
  IconMessages,
  IconPlugConnected,
  IconReportMoney,
  IconServer2,
  IconSettings,
  IconShieldExclamation,
  IconShieldLock,
  IconSpeakerphone,
  IconTransfer,
  IconUserPlus,
  IconUsers,
  IconUsersGroup,
  IconWallet,
  IconWebhook,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { say } from '../../src/words/say.ts'
import type { PagePath } from './page-path.ts'
import type { Role } from './session.ts'

export type NavItem = {
  to: PagePath
  label: string
  icon: ComponentType<{ size?: number | string; stroke?: number | string }>
  /** Least role that may open it. */
  least: Role
  /** What can be added there from anywhere, and the least role for it: the page opens its form by `?new=1`. */
  adds?: { label: string; least: Role }
}

export type NavGroup = { label: string; items: readonly NavItem[] }

/** The console's pages, as the side bar and Ctrl-K show them. */
export const NAVIGATION: readonly NavGroup[] = [
  {
    label: 'Work',
    items: [
      {
        to: '/',
        label: 'Dashboard',
        icon: IconLayoutDashboard,
        least: 'viewer',
      },
      {
        to: '/traders',
        label: 'Clients',
        icon: IconUsersGroup,
        least: 'viewer',
        adds: { label: say('palette.command.client'), least: 'operator' },
      },
      {
        to: '/deposits',
        label: 'Deposits',
        icon: IconCash,
        least: 'viewer',
        adds: { label: say('palette.command.deposit'), least: 'operator' },
      },
      {
        to: '/withdrawals',
        label: 'Withdrawals',
        icon: IconCashBanknote,
        least: 'viewer',
        adds: { label: say('palette.command.withdrawal'), least: 'operator' },
      },
      { to: '/kyc', label: 'KYC', icon: IconId, least: 'viewer' },
      { to: '/sanctions', label: 'Sanctions', icon: IconShieldExclamation, least: 'manager' },
      {
        to: '/support',
        label: 'Support',
        icon: IconMessages,
        least: 'viewer',
        adds: { label: say('palette.command.ticket'), least: 'operator' },
      },
      {
        to: '/leads',
        label: 'Leads',
        icon: IconUserPlus,
        least: 'viewer',
        adds: { label: say('palette.command.lead'), least: 'operator' },
      },
      { to: '/affiliates', label: say('affiliates.title'), icon: IconAffiliate, least: 'viewer' },
      { to: '/positions', label: 'Positions', icon: IconChartCandle, least: 'viewer' },
      {
        to: '/accounts',
        label: 'Accounts',
        icon: IconBuildingBank,
        least: 'viewer',
      },
    ],
  },
  {
    label: 'Money',
    items: [
      { to: '/wallets', label: 'Wallets', icon: IconWallet, least: 'viewer' },
      { to: '/transfers', label: 'Transfers', icon: IconTransfer, least: 'viewer' },
      { to: '/adjustments', label: 'Adjustments', icon: IconAdjustmentsDollar, least: 'manager' },
      { to: '/rates', label: 'Exchange rates', icon: IconExchange, least: 'viewer' },
      {
        to: '/ledger',
        label: 'Ledger',
        icon: IconReportMoney,
        least: 'manager',
      },
      { to: '/reports', label: say('reports.page.title'), icon: IconChartBar, least: 'manager' },
      { to: '/sql', label: say('sandbox.page.title'), icon: IconDatabaseSearch, least: 'owner' },
    ],
  },
  {
    label: 'Machines',
    items: [
      {
        to: '/api-keys',
        label: 'API keys',
        icon: IconKey,
        least: 'admin',
        adds: { label: say('palette.command.key'), least: 'admin' },
      },
      {
        to: '/webhooks',
        label: 'Webhooks',
        icon: IconWebhook,
        least: 'admin',
        adds: { label: say('palette.command.webhook'), least: 'admin' },
      },
      {
        to: '/gateways',
        label: 'Gateways',
        icon: IconPlugConnected,
        least: 'manager',
      },
      { to: '/ads', label: say('ads.list.title'), icon: IconSpeakerphone, least: 'manager' },
    ],
  },
  {
    label: 'Firm',
    items: [
      {
        to: '/users',
        label: 'Users',
        icon: IconUsers,
        least: 'viewer',
        adds: { label: say('palette.command.invite'), least: 'admin' },
      },
      { to: '/audit', label: 'Audit', icon: IconHistory, least: 'manager' },
      { to: '/views', label: 'Views', icon: IconEye, least: 'owner' },
      {
        to: '/mail',
        label: 'Mail',
        icon: IconMail,
        least: 'admin',
      },
      {
        to: '/settings',
        label: 'Settings',
        icon: IconSettings,
        least: 'admin',
      },
    ],
  },
  {
    label: 'Platform',
    items: [
      {
        to: '/tenants',
        label: 'Tenants',
        icon: IconBuilding,
        least: 'platform_admin',
      },
      { to: '/system', label: say('system.overview.title'), icon: IconServer2, least: 'platform_admin' },
      { to: '/recovery-key', label: say('system.page.title'), icon: IconShieldLock, least: 'platform_admin' },
    ],
  },
]
