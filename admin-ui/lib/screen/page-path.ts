import type { LinkProps } from '@tanstack/react-router'

/** The address of a page of the console that needs no id: what menus, tiles and reports may lead to. */
export type PagePath = Exclude<Extract<LinkProps['to'], `/${string}`>, `${string}$${string}`>
