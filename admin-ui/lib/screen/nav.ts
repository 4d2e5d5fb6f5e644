import {
  IconAdjustmentsDollar,
  IconAffiliate,
  IconArchive,
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
  IconServerBolt,
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
import type { Role } from '../api/session.ts'
import { say } from '../text/words.ts'
import type { PagePath } from './page-path.ts'

export type NavItem = {
  to: PagePath
  label: string
  icon: ComponentType<{ size?: number | string; stroke?: number | string }>
  /** The least role that may open it. */
  least: Role
  /** The record that can be added there, and the least role for it: the page opens its form by `?new=1`. */
  adds?: { label: string; least: Role }
}

export type NavGroup = { label: string; items: readonly NavItem[] }

/** The console's pages in the side bar and the palette. */
export const NAVIGATION: readonly NavGroup[] = [
  {
    label: say('parts.work'),
    items: [
      {
        to: '/',
        label: say('parts.dashboard'),
        icon: IconLayoutDashboard,
        least: 'viewer',
      },
      {
        to: '/traders',
        label: say('common.clients'),
        icon: IconUsersGroup,
        least: 'viewer',
        adds: { label: say('palette.command.client'), least: 'operator' },
      },
      {
        to: '/deposits',
        label: say('parts.deposits'),
        icon: IconCash,
        least: 'viewer',
        adds: { label: say('palette.command.deposit'), least: 'operator' },
      },
      {
        to: '/withdrawals',
        label: say('parts.withdrawals'),
        icon: IconCashBanknote,
        least: 'viewer',
        adds: { label: say('palette.command.withdrawal'), least: 'operator' },
      },
      { to: '/kyc', label: say('parts.kyc'), icon: IconId, least: 'viewer' },
      { to: '/sanctions', label: say('parts.sanctions'), icon: IconShieldExclamation, least: 'manager' },
      {
        to: '/support',
        label: say('parts.support'),
        icon: IconMessages,
        least: 'viewer',
        adds: { label: say('palette.command.ticket'), least: 'operator' },
      },
      {
        to: '/leads',
        label: say('parts.leads'),
        icon: IconUserPlus,
        least: 'viewer',
        adds: { label: say('palette.command.lead'), least: 'operator' },
      },
      { to: '/affiliates', label: say('parts.nav.affiliates'), icon: IconAffiliate, least: 'viewer' },
      { to: '/positions', label: say('parts.positions'), icon: IconChartCandle, least: 'viewer' },
      { to: '/platforms', label: say('parts.nav.platforms'), icon: IconServerBolt, least: 'operator' },
      {
        to: '/accounts',
        label: say('parts.accounts'),
        icon: IconBuildingBank,
        least: 'viewer',
      },
    ],
  },
  {
    label: say('common.money'),
    items: [
      { to: '/wallets', label: say('common.wallets'), icon: IconWallet, least: 'viewer' },
      { to: '/transfers', label: say('parts.transfers'), icon: IconTransfer, least: 'viewer' },
      { to: '/adjustments', label: say('parts.adjustments'), icon: IconAdjustmentsDollar, least: 'manager' },
      { to: '/rates', label: say('parts.exchange_rates'), icon: IconExchange, least: 'viewer' },
      {
        to: '/ledger',
        label: say('parts.ledger'),
        icon: IconReportMoney,
        least: 'manager',
      },
      { to: '/reports', label: say('parts.nav.reports'), icon: IconChartBar, least: 'manager' },
      { to: '/sql', label: say('parts.nav.sandbox'), icon: IconDatabaseSearch, least: 'owner' },
    ],
  },
  {
    label: say('parts.machines'),
    items: [
      {
        to: '/api-keys',
        label: say('parts.api_keys'),
        icon: IconKey,
        least: 'admin',
        adds: { label: say('palette.command.key'), least: 'admin' },
      },
      {
        to: '/webhooks',
        label: say('parts.webhooks'),
        icon: IconWebhook,
        least: 'admin',
        adds: { label: say('palette.command.webhook'), least: 'admin' },
      },
      {
        to: '/gateways',
        label: say('parts.gateways'),
        icon: IconPlugConnected,
        least: 'manager',
      },
      { to: '/ads', label: say('parts.nav.ads'), icon: IconSpeakerphone, least: 'manager' },
    ],
  },
  {
    label: say('common.firm'),
    items: [
      {
        to: '/users',
        label: say('parts.users'),
        icon: IconUsers,
        least: 'viewer',
        adds: { label: say('palette.command.invite'), least: 'admin' },
      },
      { to: '/audit', label: say('parts.audit'), icon: IconHistory, least: 'manager' },
      { to: '/views', label: say('parts.views'), icon: IconEye, least: 'owner' },
      { to: '/kept-records', label: say('parts.kept_records'), icon: IconArchive, least: 'owner' },
      {
        to: '/mail',
        label: say('parts.mail'),
        icon: IconMail,
        least: 'admin',
      },
      {
        to: '/settings',
        label: say('parts.settings'),
        icon: IconSettings,
        least: 'admin',
      },
    ],
  },
  {
    label: say('common.platform'),
    items: [
      {
        to: '/tenants',
        label: say('parts.tenants'),
        icon: IconBuilding,
        least: 'platform_admin',
      },
      { to: '/system', label: say('parts.nav.system'), icon: IconServer2, least: 'platform_admin' },
      { to: '/recovery-key', label: say('parts.nav.system_key'), icon: IconShieldLock, least: 'platform_admin' },
    ],
  },
]
