import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configurationPage } from './platform/environment.ts'

writeFileSync(join(import.meta.dirname, '../../../docs/configuration.gen.md'), configurationPage())
