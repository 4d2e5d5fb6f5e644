import type { LinkProps } from '@tanstack/react-router'

/** The address of a page of the console that needs no id, to which menus, tiles and reports may link. */
export type PagePath = Exclude<Extract<LinkProps['to'], `/${string}`>, `${string}$${string}`>
