WHOLE = 1 << 30
CHANCE = WHOLE * 7 // 10
import os

if os.path.exists("/tmp/tmd_table.bin"):
    import array

    ENTRIES = array.array("i")
    ENTRIES.frombytes(open("/tmp/tmd_table.bin", "rb").read())
    ENTRIES = ENTRIES.tolist()
else:
    ENTRIES = [0] * (41 * 4 * 16 * 16)
