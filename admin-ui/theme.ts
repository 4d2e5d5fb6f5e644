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
import { typeAhead } from './lib/forms/type-ahead.ts'
import { DRAWER_WIDTH } from './lib/screen/drawer-widths.ts'
import { buildPalette } from './lib/screen/palette.ts'
import { say } from './lib/text/words.ts'

export const DEFAULT_ACCENT = '#2f55d4'

// Mantine uses gray.6 for dimmed text and gray.5 for placeholders: both are darker here than the stock ones, which fail
// WCAG AA on white.
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

// The stock red fails WCAG AA under white text.
const red: MantineColorsTuple = buildPalette('#d13438') ?? gray

// The stock green fails WCAG AA on its own pale background.
const green: MantineColorsTuple = buildPalette('#1f8a52') ?? gray

/** The header of a dialog has no role, because it would otherwise be a second banner of the page. */
const NO_BANNER = { header: { role: 'none' } } as const

// A dialog closes without a fade, because its content is often gone from the state before the fade would end.
const LEAVE_AT_ONCE = { duration: 150, exitDuration: 0 }

// Mantine's own name of the button is English.
const PASSWORD_FIELD = { visibilityToggleButtonProps: { 'aria-label': say('parts.password.show') } }

/** Builds the console's theme. `accent` is the firm's colour, `#rrggbb`; an invalid one becomes DEFAULT_ACCENT. */
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
      // Mantine's own yellow text on its yellow tint has too little contrast.
      Alert: Alert.extend({
        vars: (_theme, { color, variant }) => ({
          root: color === 'yellow' && variant === 'light' ? { '--alert-color': 'var(--notice)' } : {},
        }),
      }),
      Badge: Badge.extend({
        defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 500 },
      }),
      Button: Button.extend({ defaultProps: { size: 'sm', fw: 500 } }),
      DrawerRoot: Drawer.Root.extend({
        defaultProps: {
          position: 'right',
          size: DRAWER_WIDTH,
          attributes: NO_BANNER,
          transitionProps: LEAVE_AT_ONCE,
        },
      }),
      DrawerOverlay: Drawer.Overlay.extend({ defaultProps: { backgroundOpacity: 0.35 } }),
      DrawerCloseButton: Drawer.CloseButton.extend({ defaultProps: { 'aria-label': say('common.close') } }),
      // Enter takes the first option that matches. `Select.extend` would import Select into the first load.
      Select: { defaultProps: { selectFirstOptionOnChange: true, onKeyDown: typeAhead } },
      MultiSelect: { defaultProps: { selectFirstOptionOnChange: true } },
      PasswordInput: { defaultProps: PASSWORD_FIELD },
      // Focus goes to the first item: the placeholder that Mantine puts before it has no role that a menu allows.
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
      Tooltip: Tooltip.extend({ defaultProps: { openDelay: 300, withArrow: false } }),
    },
  })

/** Corrects a colour of Mantine: its dark red for field errors cannot be read on a dark field. */
export const consoleVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {},
  dark: { '--mantine-color-error': '#f27a72' },
})
