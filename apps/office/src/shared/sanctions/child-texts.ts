import texts from '@duet/locales/en/office-child.json'
import { addTexts } from '../texts.ts'

addTexts(texts)
