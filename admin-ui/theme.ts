import {
  ActionIcon,
  Alert,
  Badge,
  Button,
  type CSSVariablesResolver,
  createTheme,
  Drawer,
  type MantineColorsTuple,
  type MantineThemeOverride,
  Menu,
  Modal,
  Paper,
  Tooltip,
} from '@mantine/core'
import { DRAWER_WIDTH } from './lib/screen/drawer-widths.ts'
import { buildPalette } from './lib/screen/palette.ts'
import { say } from './lib/text/words.ts'

export const DEFAULT_ACCENT = '#2f55d4'

// gray.6 is Mantine's dimmed text and gray.5 its placeholder:
// both darker than the stock ones, which miss WCAG AA on white.
const gray: MantineColorsTuple = [
  '#f7f8f9',
  '#f0f1f4',
  '#e6e8ec',
  '#d9dce2',
  '#c0c5ce',
  '#6c7482',
  '#59616e',
  '#434a56',
  '#2c323c',
  '#191d24',
]

const dark: MantineColorsTuple = [
  '#e4e6eb',
  '#c3c8d1',
  '#9aa1ae',
  '#858d9b',
  '#363c47',
  '#2b303a',
  '#21252d',
  '#181b21',
  '#131519',
  '#0e1013',
]

// The stock red misses WCAG AA under white text.
const red: MantineColorsTuple = buildPalette('#d13438') ?? gray

// So does the stock green on its own pale ground.
const green: MantineColorsTuple = buildPalette('#1f8a52') ?? gray

/** A dialog's head is no banner: a page has one. */
const NO_BANNER = { header: { role: 'none' } } as const

// What a dialog shows is often gone from the state before it has faded; it would fade out empty.
const LEAVE_AT_ONCE = { duration: 150, exitDuration: 0 }

/** The console's theme; `accent` is the tenant's brand colour, `#rrggbb`. An unreadable one falls back to ours. */
export const consoleTheme = (accent: string): MantineThemeOverride =>
  createTheme({
    black: '#171a20',
    primaryColor: 'accent',
    primaryShade: { light: 6, dark: 6 },
    colors: {
      accent: buildPalette(accent) ?? buildPalette(DEFAULT_ACCENT) ?? gray,
      red,
      green,
      gray,
      dark,
    },
    fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Ubuntu, "Liberation Sans", sans-serif',
    fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, "Cascadia Mono", "Liberation Mono", monospace',
    fontSizes: {
      xs: '0.75rem',
      sm: '0.8125rem',
      md: '0.875rem',
      lg: '1rem',
      xl: '1.25rem',
    },
    lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.35' },
    headings: {
      fontWeight: '600',
      sizes: {
        h1: { fontSize: '1.25rem', lineHeight: '1.35' },
        h2: { fontSize: '1rem', lineHeight: '1.45' },
        h3: { fontSize: '0.875rem', lineHeight: '1.5' },
      },
    },
    defaultRadius: 'md',
    radius: { xs: '3px', sm: '5px', md: '7px', lg: '10px', xl: '14px' },
    cursorType: 'pointer',
    respectReducedMotion: true,
    components: {
      ActionIcon: ActionIcon.extend({
        defaultProps: { variant: 'subtle', color: 'gray' },
      }),
      // Mantine's own yellow on its yellow tint is too faint to read.
      Alert: Alert.extend({
        vars: (_theme, { color, variant }) => ({
          root: color === 'yellow' && variant === 'light' ? { '--alert-color': 'var(--notice)' } : {},
        }),
      }),
      Badge: Badge.extend({
        defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 500 },
      }),
      Button: Button.extend({ defaultProps: { size: 'sm', fw: 500 } }),
      Drawer: Drawer.extend({
        defaultProps: {
          position: 'right',
          size: DRAWER_WIDTH,
          attributes: NO_BANNER,
          closeButtonProps: { 'aria-label': say('common.close') },
          transitionProps: LEAVE_AT_ONCE,
          overlayProps: { backgroundOpacity: 0.35 },
        },
      }),
      // Enter takes the first of what is left. Named by its place alone, so that the first load is without it.
      Select: { defaultProps: { selectFirstOptionOnChange: true } },
      MultiSelect: { defaultProps: { selectFirstOptionOnChange: true } },
      // The focus goes to the first item: what Mantine puts before it may not stand in a menu.
      Menu: Menu.extend({ defaultProps: { shadow: 'md', width: 220, withInitialFocusPlaceholder: false } }),
      Modal: Modal.extend({
        defaultProps: {
          centered: true,
          attributes: NO_BANNER,
          closeButtonProps: { 'aria-label': say('common.close') },
          transitionProps: LEAVE_AT_ONCE,
          overlayProps: { backgroundOpacity: 0.35 },
        },
      }),
      Paper: Paper.extend({ defaultProps: { withBorder: true, radius: 'lg' } }),
      Tooltip: Tooltip.extend({
        defaultProps: { openDelay: 300, withArrow: false },
      }),
    },
  })

/** Corrections of Mantine's own colours: its dark red for field errors cannot be read on a dark field. */
export const consoleVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {},
  dark: { '--mantine-color-error': '#f27a72' },
})
