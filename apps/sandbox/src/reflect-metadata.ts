/**
 * The three functions of the Reflect metadata proposal that the certificate library's container calls when it is
 * loaded. Import this before that library.
 */
const store = new WeakMap<object, Map<unknown, unknown>>();

const ownMetadata = (key: unknown, target: object): unknown => store.get(target)?.get(key);

const metadata = (key: unknown, target: object): unknown => {
  for (let owner: object | null = target; owner; owner = Reflect.getPrototypeOf(owner)) {
    if (store.get(owner)?.has(key)) return ownMetadata(key, owner);
  }
  return undefined;
};

const defineMetadata = (key: unknown, value: unknown, target: object): void => {
  const entries = store.get(target) ?? new Map<unknown, unknown>();
  store.set(target, entries.set(key, value));
};

if (!('getMetadata' in Reflect))
  Object.assign(Reflect, { getMetadata: metadata, getOwnMetadata: ownMetadata, defineMetadata });
