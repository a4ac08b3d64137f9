"""A sound fragment of every artifact, as its author should write it."""

from __future__ import annotations

import json
from typing import Any

from skillc.runtime.artifacts import artifacts

DIAGNOSIS = {"结论": "够", "依据": ["每一点都有支撑"], "完备度": "高"}
BODIES: dict[str, dict[str, Any]] = {
    "aesthetics-interaction": {
        "设定逻辑": {"参与维度": {"代入": DIAGNOSIS}, "内容维度": {"债": DIAGNOSIS}, "待探": ["谁来讨"]},
        "交互范式": {"用户身份": "欠债的水手", "输入方式": ["说话", "做事"], "边界": ["不替用户决定"]},
        "美学纲领": {"基调": "潮湿", "取向": ["具体"], "意象": ["灯"], "禁忌": ["说教"]},
    },
    "mechanism": {
        "依据的核心体验": ["得手就欠债"],
        "支撑点": [{"名": "代价", "作用": "欠债", "做法": ["记账"]}, {"名": "讨债", "表现": "敲门"}],
        "支撑点关系": [{"从": "代价", "到": "讨债", "关系": "促成"}],
        "覆盖检验": [{"体验": "得手就欠债", "支撑点": ["代价"], "结论": "够"}],
    },
    "world-blueprint": {
        "尺度": "一座港城，一个冬天",
        "基底与变造": {"基底": "旧港", "变造": ["债是活的"]},
        "社会结构": {"行会": "管码头"},
        "世界状况": {"局势": "封港"},
        "关键舞台区": [{"名": "账房", "功能": ["记债"], "通往": ["码头"]}, {"名": "码头", "样貌": "雾"}],
        "未展开范围": ["城外"],
    },
    "generation-rules": {
        "必要性判断": DIAGNOSIS,
        "rules": [
            {
                "rule_id": "weather",
                "名": "天气",
                "设计判断": "推动情绪",
                "生成与描写": {"配方": ["季节×时辰"], "表现": "只写感官"},
                "分级表现": [{"级": "轻", "表现": "雾"}, {"级": "重", "表现": "暴雨"}],
                "产物格式": [{"字段": "name", "类型": "文字", "说明": "名字"}],
                "方向池": ["由晴到阴"],
                "元素池": ["雾", "雨"],
                "数量": 12,
                "一次生成": 3,
            }
        ],
    },
    "instances": {"rule_id": "weather", "records": [{"name": "海雾", "级": "轻", "标签": ["潮"]}]},
    "narration-and-story": {"全文": "长" * 900},
    "narration": {"遣词": "旧词", "笔墨": ["略写路"], "禁忌": ["说教"], "写法档": {"人称": "第二人称"}},
    "story": {"推进": "每轮一事", "用户输入用法": "照做，不改写"},
    "monitor": {
        "正文": "全给",
        "字数": "约 300",
        "日期": "港历",
        "变量": [{"key": "债", "名": "欠债", "格式": "n 笔"}],
    },
    "composition": {"选壳": "信笺", "分区": [{"名": "正文", "内容": "终稿"}], "正文安全子集": ["段落"]},
    "variables": {
        "真值": [{"key": "债", "类型": "数字", "初值": 0, "visibility": "公开"}],
        "维护语句": [{"key": "债", "语句": "得手加一"}],
        "Data映射索引": [{"key": "债", "指向": "weather"}],
        "side_effects": [
            {
                "id": "讨债",
                "when": {"key": "债", "op": ">=", "value": 3},
                "do": [{"queue_worker": "chance"}],
                "mode": "once",
            }
        ],
    },
    "variable-context": {"各槽视野": {"gm": ["债"], "narrator": "只看日期"}, "旁观汇总": ["欠债变化"]},
    "opening": {"开场正文": "灯灭了。", "开场变量": {"债": 1, "醒着": True}, "主角设定": {"名": "阿海"}},
    "worker-spec": {"play_slots": {"gm": True, "perspective": False}, "理由": {"gm": "要世界"}},
    "context-order": {
        "play_slots": {"gm": True},
        "slots": [{"ref": "world-simulator", "inserts": [{"order": 0, "ref": "对话.历史"}]}],
    },
    "worker-set": {
        "play_slots": {"gm": True},
        "context_order": {
            "schema": "context-order.v1",
            "slots": [{"ref": "world-simulator", "inserts": [{"order": 0, "ref": "worker.persona"}]}],
        },
    },
}
BY_ID = {artifact.id: artifact for artifact in artifacts()}


def sample(id: str, **changes: Any) -> dict[str, Any]:
    """The fragment of one artifact; `changes` replace parts of its shell."""
    artifact = BY_ID[id]
    return {
        "schema": "context-fragment.v1",
        "技能": artifact.name,
        "brief": f"{artifact.name}一句话",
        "mount": list(artifact.mounts) or ["gm"],
        "稳变": "稳",
        "正文": BODIES[id],
        "自评": {
            "维度": [{"名": name, "分数": 8, "说明": "行"} for name in artifact.scores],
            "薄弱点": "还薄",
        },
        "追问": {"导语": "先问一点", "题目": [{"问": "多重？", "建议选项": ["轻", "重"], "示例": "断指"}]},
        "开放问题": ["谁来付"],
        **changes,
    }


def written(tree: object) -> str:
    return json.dumps(tree, ensure_ascii=False)
