import type { MantineColorsTuple } from '@mantine/core'

type Hsl = { h: number; s: number; l: number }
type Rgb = { r: number; g: number; b: number }

const LIGHTNESS = [97, 93, 86, 77, 68, 59, 50, 43, 36, 29] as const
const FILLED_FROM = 6
// The contrast with white from FILLED_FROM on. The darker shades are also text on pale ones, which needs more.
const CONTRASTS = [4.6, 5.8, 7, 8.5] as const

const parse = (hex: string): Rgb | null => {
  const digits = /^#?([0-9a-f]{6})$/i.exec(hex)?.[1]
  if (!digits) return null
  const value = Number.parseInt(digits, 16)
  return { r: (value >> 16) & 255, g: (value >> 8) & 255, b: value & 255 }
}

const toHsl = ({ r, g, b }: Rgb): Hsl => {
  const [red, green, blue] = [r / 255, g / 255, b / 255]
  const max = Math.max(red, green, blue)
  const min = Math.min(red, green, blue)
  const l = (max + min) / 2
  const delta = max - min
  if (delta === 0) return { h: 0, s: 0, l: l * 100 }
  const s = delta / (1 - Math.abs(2 * l - 1))
  const sector =
    max === red
      ? ((green - blue) / delta + 6) % 6
      : max === green
        ? (blue - red) / delta + 2
        : (red - green) / delta + 4
  return { h: sector * 60, s: s * 100, l: l * 100 }
}

const toRgb = ({ h, s, l }: Hsl): Rgb => {
  const at = (n: number): number => {
    const k = (n + h / 30) % 12
    const a = (s / 100) * Math.min(l / 100, 1 - l / 100)
    return Math.round(255 * (l / 100 - a * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return { r: at(0), g: at(8), b: at(4) }
}

const toHex = ({ r, g, b }: Rgb): string => `#${[r, g, b].map((part) => part.toString(16).padStart(2, '0')).join('')}`

const luminance = ({ r, g, b }: Rgb): number => {
  const linear = (part: number): number => {
    const value = part / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

const contrastWithWhite = (color: Rgb): number => 1.05 / (luminance(color) + 0.05)

const shade = (base: Hsl, index: number): string => {
  let l: number = LIGHTNESS[index] ?? 50
  // Pale shades of a saturated colour glow, so they get less saturation.
  const s = index < 3 ? base.s * 0.75 : base.s
  let color = toRgb({ h: base.h, s, l })
  const wanted = CONTRASTS[index - FILLED_FROM] ?? 0
  while (contrastWithWhite(color) < wanted && l > 5) {
    l -= 1
    color = toRgb({ h: base.h, s, l })
  }
  return toHex(color)
}

/**
 * Returns ten shades of one colour. From index 6 on, white text on the shade passes WCAG AA, whatever colour a tenant
 * chose. Null if the colour is invalid.
 */
export const buildPalette = (hex: string): MantineColorsTuple | null => {
  const rgb = parse(hex)
  if (!rgb) return null
  const base = toHsl(rgb)
  const at = (index: number): string => shade(base, index)
  return [at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9)]
}

/** Returns whether white text on the colour would miss WCAG AA, so that `buildPalette` takes a darker shade of it. */
export const needsDarkening = (hex: string): boolean => {
  const rgb = parse(hex)
  return rgb !== null && contrastWithWhite(rgb) < 4.5
}
