/** The published lists that can be loaded: OFAC's SDN.CSV, the EU's and the UN's consolidated XML. */
export const LIST_SOURCES = ['ofac_sdn', 'eu', 'un'] as const
export type ListSource = (typeof LIST_SOURCES)[number]
