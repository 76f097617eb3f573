import { pattern, type Values } from '../../lib/configuration/variables.ts'

export const ANALYTICS_VARIABLES = {
  YANDEX_METRICA_COUNTER: pattern('the number of a counter', /^[1-9]\d{0,11}$/).describe(
    'Yandex Metrica counts the calls of visitors who permit it. Absent: nothing of it is loaded. It was not tried with a real counter.',
  ),
  GOOGLE_MEASUREMENT_ID: pattern(
    'a measurement id like G-ABC123DEF4',
    /^G-[A-Z0-9]{4,16}$/,
  ).describe(
    'Google Analytics 4 counts the calls of visitors who permit it. Absent: nothing of it is loaded. It was not tried with a real id.',
  ),
}

/** The services of statistics with the keys that browsers need. None by default. */
export function readAnalytics(values: Values<typeof ANALYTICS_VARIABLES>) {
  const { YANDEX_METRICA_COUNTER: counter, GOOGLE_MEASUREMENT_ID: id } = values
  return [
    ...(counter === undefined ? [] : [{ service: 'yandex' as const, key: counter }]),
    ...(id === undefined ? [] : [{ service: 'google' as const, key: id }]),
  ]
}
